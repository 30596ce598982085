// The documents of the site, by the names in their addresses.

/** Below /docs; labels are keys of the catalogue. The guide and the reference have no name: the one is at /docs itself, the other has routes of its own. */
export const docs = [
  { href: '/docs/start', name: 'start', label: 'docs.tab.start' },
  { href: '/docs', name: undefined, label: 'docs.tab.guide' },
  { href: '/docs/authentication', name: 'authentication', label: 'docs.tab.authentication' },
  { href: '/docs/formats', name: 'formats', label: 'docs.tab.formats' },
  { href: '/docs/errors', name: 'errors', label: 'docs.tab.errors' },
  { href: '/docs/mcp', name: 'mcp', label: 'docs.tab.mcp' },
  { href: '/docs/webhooks', name: 'webhooks', label: 'docs.tab.webhooks' },
  { href: '/docs/exports', name: 'exports', label: 'docs.tab.exports' },
  { href: '/docs/publishing', name: 'publishing', label: 'docs.tab.publishing' },
  { href: '/docs/reference', name: undefined, label: 'docs.tab.reference' },
] as const

/** The handbook of operators, which is in English alone, below its first page. */
export const handbook = [
  { href: '/docs/operators', name: 'operators', label: 'docs.tab.install' },
  { href: '/docs/sign-in', name: 'sign-in', label: 'docs.tab.signIn' },
  { href: '/docs/moving-in', name: 'moving-in', label: 'docs.tab.movingIn' },
  { href: '/docs/tracker-sync', name: 'tracker-sync', label: 'docs.tab.trackerSync' },
  { href: '/docs/provisioning', name: 'provisioning', label: 'docs.tab.provisioning' },
  { href: '/docs/widget', name: 'widget', label: 'docs.tab.widget' },
  { href: '/docs/private-community', name: 'private-community', label: 'docs.tab.private' },
  { href: '/docs/moderating', name: 'moderating', label: 'docs.tab.moderating' },
  { href: '/docs/machines', name: 'machines', label: 'docs.tab.machines' },
  { href: '/docs/chat', name: 'chat', label: 'docs.tab.chat' },
  { href: '/docs/looks', name: 'looks', label: 'docs.tab.looks' },
  { href: '/docs/languages', name: 'languages', label: 'docs.tab.languages' },
  { href: '/docs/proxy', name: 'proxy', label: 'docs.tab.proxy' },
  { href: '/docs/stores', name: 'stores', label: 'docs.tab.stores' },
  { href: '/docs/mail', name: 'mail', label: 'docs.tab.mail' },
  { href: '/docs/backups', name: 'backups', label: 'docs.tab.backups' },
  { href: '/docs/upgrades', name: 'upgrades', label: 'docs.tab.upgrades' },
  { href: '/docs/keys', name: 'keys', label: 'docs.tab.keys' },
  { href: '/docs/sizing', name: 'sizing', label: 'docs.tab.sizing' },
  { href: '/docs/scaling', name: 'scaling', label: 'docs.tab.scaling' },
  { href: '/docs/watching', name: 'watching', label: 'docs.tab.watching' },
  { href: '/docs/night', name: 'night', label: 'docs.tab.night' },
] as const

export const texts = ['privacy', 'terms']
