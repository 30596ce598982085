// The documents of the site, by the names in their addresses.

/** Below /docs. The guide and the reference have no name: the one is at /docs itself, the other has routes of its own. */
export const docs = [
  { href: '/docs', name: undefined, label: 'Guide' },
  { href: '/docs/authentication', name: 'authentication', label: 'Authentication' },
  { href: '/docs/errors', name: 'errors', label: 'Errors' },
  { href: '/docs/mcp', name: 'mcp', label: 'MCP' },
  { href: '/docs/webhooks', name: 'webhooks', label: 'Webhooks' },
  { href: '/docs/night', name: 'night', label: 'At 3 a.m.' },
  { href: '/docs/reference', name: undefined, label: 'API reference' },
]

export const texts = ['privacy', 'terms']
