// The keyboard shortcuts, declared once: the script obeys them (enhance/keys.ts), and their page lists them (routes/keys).

/** After `g`: where each letter leads. */
export const places: Readonly<Record<string, { path: string; name: string }>> = {
  h: { path: '/', name: 'Home' },
  f: { path: '/community', name: 'Feed' },
  p: { path: '/community/posts', name: 'Posts' },
  b: { path: '/community/bugs', name: 'Bugs' },
  r: { path: '/community/features', name: 'Feature requests' },
  o: { path: '/community/orgs', name: 'Orgs' },
  l: { path: '/library', name: 'Library' },
  m: { path: '/community/members', name: 'Members' },
  n: { path: '/notifications', name: 'Notifications' },
  s: { path: '/settings', name: 'Settings' },
}

/** Keys that stand alone, and what they do. */
export const keys = {
  j: 'Next entry of a list',
  k: 'Previous entry of a list',
  o: 'Open the entry',
  '/': 'Search',
  '?': 'This list of shortcuts',
} as const

export const isKey = (key: string): key is keyof typeof keys => Object.hasOwn(keys, key)

/** Where a browser notes that its reader wants no keys without Ctrl. */
export const KEYS_OFF = 'keys-off'
