import type { Component } from 'svelte';
import type { Texts } from './texts';
import { may } from './may';
import { session } from './session.svelte';

export type PageName =
  'inbox' | 'orders' | 'khata' | 'approvals' | 'shop' | 'desks' | 'campaigns' | 'templates' | 'people';

type PageOf = {
  name: PageName;
  title: keyof Texts;
  /** The key that goes there after g. */
  key: string;
  /** Who has none of these does not see it. */
  scopes: string[];
  /** Where its code is. The inbox is in the shell. */
  load?: () => Promise<{ default: Component }>;
  /** A phone has no room for it beside the others: one goes there by the palette. */
  minor?: boolean;
};

/** The pages, in the order in which they are shown. All but the inbox are loaded when they are opened first. */
export const pages: PageOf[] = [
  { name: 'inbox', title: 'inbox', key: 'i', scopes: ['inbox.read'] },
  {
    name: 'orders',
    title: 'orders',
    key: 'o',
    scopes: ['stores.read'],
    load: () => import('../pages/Orders.svelte'),
  },
  {
    name: 'khata',
    title: 'khata',
    key: 'k',
    scopes: ['khata.read'],
    load: () => import('../pages/Khata.svelte'),
  },
  {
    name: 'approvals',
    title: 'approvals',
    key: 'a',
    scopes: ['cards.read'],
    load: () => import('../pages/Approvals.svelte'),
    minor: true,
  },
  {
    name: 'shop',
    title: 'shop',
    key: 's',
    scopes: ['stores.read'],
    load: () => import('../pages/Shop.svelte'),
  },
  {
    name: 'desks',
    title: 'desks',
    key: 'd',
    scopes: ['inbox.read', 'outbox.read', 'events.read'],
    load: () => import('../pages/Desks.svelte'),
    minor: true,
  },
  {
    name: 'campaigns',
    title: 'campaigns',
    key: 'c',
    scopes: ['inbox.read'],
    load: () => import('../pages/Campaigns.svelte'),
    minor: true,
  },
  {
    name: 'templates',
    title: 'templates',
    key: 't',
    scopes: ['inbox.read'],
    load: () => import('../pages/Templates.svelte'),
    minor: true,
  },
  {
    name: 'people',
    title: 'people',
    key: 'p',
    scopes: ['tenants.manage'],
    load: () => import('../pages/People.svelte'),
    minor: true,
  },
];

/** The pages that the caller's scopes allow. */
export const allowed = (): PageOf[] => (session.me ? pages.filter((page) => may(...page.scopes)) : []);
