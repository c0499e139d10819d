import './lib/landing'; // first: it puts the address right
import { mount } from 'svelte';
import Root from './Root.svelte';
import './style.css';

export default mount(Root, { target: document.getElementById('app')! });
