// The entry for the registry of MCP servers keeps to what the registry documents of server.json (its fields, patterns and lengths), for
// every kind of address that a server can have.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { registryEntry } from '../src/surfaces/discovery/machine.ts'

const Icon = z.strictObject({
  src: z.url({ protocol: /^https$/ }).max(255),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp']).optional(),
  sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)).optional(),
  theme: z.enum(['light', 'dark']).optional(),
})

const Entry = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  // A range is refused.
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url().optional(),
  icons: z.array(Icon).optional(),
  remotes: z
    .array(z.strictObject({ type: z.literal('streamable-http'), url: z.string().regex(/^https?:\/\/\S+$/) }))
    .min(1),
})

describe('the entry for the registry of MCP servers', () => {
  for (const baseUrl of ['https://guildhall.example', 'https://a.b-c.example:8443', 'http://localhost:3000']) {
    it(`is as the registry documents it, for ${baseUrl}`, () => {
      const entry = registryEntry({ baseUrl, name: 'Guildhall', partsOff: [] })
      assert.deepEqual(Entry.safeParse(JSON.parse(JSON.stringify(entry))).error?.issues ?? [], [])
      assert.equal(entry.remotes[0]?.url, `${baseUrl}/api/mcp`)
    })
  }

  it('would not be taken with a description that is too long, or an icon by http', () => {
    const entry = JSON.parse(
      JSON.stringify(registryEntry({ baseUrl: 'https://guildhall.example', name: 'Guildhall', partsOff: [] })),
    )
    assert.ok(!Entry.safeParse({ ...entry, description: 'x'.repeat(101) }).success)
    assert.ok(!Entry.safeParse({ ...entry, icons: [{ src: 'http://guildhall.example/favicon.svg' }] }).success)
  })
})
