// What `guildhall new mcp-server` writes.
import type { Template } from '../template.ts'
import { idOf, jsonOf } from '../template-texts.ts'

export const template: Template = (name) => {
  const id = idOf(name)
  const server = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `com.example/${id}`,
    title: name.replace(/\s+/g, ' ').slice(0, 100),
    description: 'Tells the weather of a place.',
    version: '0.1.0',
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://example.com/mcp',
        headers: [{ name: 'Authorization', description: 'Bearer and your key', isRequired: true, isSecret: true }],
      },
    ],
  }
  return { at: `${id}.json`, files: { '': jsonOf(server) } }
}
