// The documents of the site, by the names in their addresses.

/** Below /docs. The guide and the reference have no name: the one is at /docs itself, the other has routes of its own. */
export const docs = [
  { href: '/docs', name: undefined, label: 'Guide' },
  { href: '/docs/authentication', name: 'authentication', label: 'Authentication' },
  { href: '/docs/errors', name: 'errors', label: 'Errors' },
  { href: '/docs/mcp', name: 'mcp', label: 'MCP' },
  { href: '/docs/webhooks', name: 'webhooks', label: 'Webhooks' },
  { href: '/docs/operators', name: 'operators', label: 'For operators' },
  { href: '/docs/reference', name: undefined, label: 'API reference' },
]

/** The handbook of operators, below its first page. */
export const handbook = [
  { href: '/docs/operators', name: 'operators', label: 'Install' },
  { href: '/docs/proxy', name: 'proxy', label: 'Proxy' },
  { href: '/docs/stores', name: 'stores', label: 'PostgreSQL and S3' },
  { href: '/docs/mail', name: 'mail', label: 'Mail' },
  { href: '/docs/backups', name: 'backups', label: 'Backups' },
  { href: '/docs/upgrades', name: 'upgrades', label: 'Upgrades' },
  { href: '/docs/keys', name: 'keys', label: 'Keys' },
  { href: '/docs/sizing', name: 'sizing', label: 'Sizing' },
  { href: '/docs/watching', name: 'watching', label: 'Watching' },
  { href: '/docs/night', name: 'night', label: 'At 3 a.m.' },
]

export const texts = ['privacy', 'terms']
