// Pictures of the server, which clients of MCP show beside its name.

export const iconsOf = (baseUrl: string) => [
  { src: `${baseUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] },
  { src: `${baseUrl}/apple-touch-icon.png`, mimeType: 'image/png', sizes: ['180x180'] },
]
