// The keyboard shortcuts, declared once: the script obeys them (enhance/keys.ts), and their page lists them (routes/keys).

/** After `g`: where each letter leads, and the key of its name in the catalogue. */
export const places = {
  h: { path: '/', name: 'frame.home' },
  f: { path: '/community', name: 'frame.feed' },
  p: { path: '/community/posts', name: 'frame.posts' },
  b: { path: '/community/bugs', name: 'frame.bugs' },
  r: { path: '/community/features', name: 'frame.features' },
  o: { path: '/community/orgs', name: 'frame.orgs' },
  l: { path: '/library', name: 'frame.library' },
  m: { path: '/community/members', name: 'frame.members' },
  n: { path: '/notifications', name: 'frame.inbox' },
  s: { path: '/settings', name: 'frame.settings' },
} as const

/** The path that a letter leads to; undefined for others. */
export const placeOf = (letter: string): string | undefined =>
  Object.entries(places).find(([key]) => key === letter)?.[1].path

/** With Ctrl, or Cmd on a Mac, in a text (enhance/editor.ts): keys of the catalogue. */
export const writingKeys = [
  ['B', 'editor.bold'],
  ['I', 'editor.italic'],
  ['E', 'editor.code'],
  ['K', 'editor.link'],
  ['⇧ .', 'editor.quote'],
  ['⇧ 8', 'editor.list'],
  ['⇧ 7', 'editor.numbered'],
  ['⇧ 9', 'editor.task'],
  ['↵', 'editor.send'],
] as const

/** Keys that stand alone, and what they do: keys of the catalogue. */
export const keys = {
  j: 'frame.keys.next',
  k: 'frame.keys.previous',
  o: 'frame.keys.open',
  x: 'frame.keys.select',
  r: 'editor.quoteSelection',
  '/': 'frame.keys.search',
  '?': 'frame.keys.list',
} as const

export const isKey = (key: string): key is keyof typeof keys => Object.hasOwn(keys, key)

/** Where a browser notes that its reader wants no keys without Ctrl. */
export const KEYS_OFF = 'keys-off'
