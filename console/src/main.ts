import './lib/landing'; // first: it puts the address right
import { mount } from 'svelte';
import Root from './Root.svelte';
import { release } from './lib/release.svelte';
import './style.css';

void release.follow().catch(() => undefined);

export default mount(Root, { target: document.getElementById('app')! });
