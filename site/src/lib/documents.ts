// The documents of the site, by the names in their addresses.

/** Below /docs; the guide has no name. */
export const docs = [
  { href: '/docs', name: undefined, label: 'Guide' },
  { href: '/docs/authentication', name: 'authentication', label: 'Authentication' },
  { href: '/docs/errors', name: 'errors', label: 'Errors' },
  { href: '/docs/mcp', name: 'mcp', label: 'MCP' },
  { href: '/docs/webhooks', name: 'webhooks', label: 'Webhooks' },
  { href: '/docs/reference', name: 'reference', label: 'API reference' },
]

export const texts = ['privacy', 'terms']
