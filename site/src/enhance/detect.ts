// Detects the kind and the name of a file before the upload, and what the library would refuse about it (docs/spec/formats.md).
import { factsOf, type ItemKind, kindOfJson } from '../../../src/contract/item-kinds.ts'
import { type Schema, type Wrong, wrongIn } from './check-schema.ts'
import { manifestIn } from './package-manifest.ts'
import { word } from './words.ts'

export const MAX_BYTES = 20 * 1024 * 1024

export interface Detected {
  kind?: ItemKind
  name?: string
  /** Why the library will refuse it. */
  problem?: string
}

export async function detect(file: File): Promise<Detected> {
  if (file.size > MAX_BYTES) return { problem: word('upload.tooLarge') }
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  // A zip archive starts with PK, 3, 4.
  if (start[0] === 0x50 && start[1] === 0x4b) {
    const manifest = await manifestIn(file).catch(() => undefined)
    if (manifest === undefined && !file.name.endsWith('.mpkg')) return { kind: 'skill' }
    return {
      kind: 'automation',
      ...(manifest !== undefined && (await checked('automation', json(manifest) ?? manifest))),
    }
  }
  // RFC 1952, 2.3.1
  if (start[0] === 0x1f && start[1] === 0x8b) return { kind: 'skill' }
  const value = json(await file.text())
  if (!value) return { problem: word('upload.noJson') }
  const name = typeof value['name'] === 'string' ? value['name'].trim() : undefined
  const kind = kindOfJson(value)
  if (kind === undefined) return { problem: word('upload.noKind') }
  return file.size > factsOf(kind).maxBytes
    ? { kind, problem: word('upload.orgTooLarge') }
    : { kind, name, ...(await checked(kind, value)) }
}

/** What the schema of a kind refuses; nothing where it cannot be had: the server decides. */
async function checked(kind: ItemKind, value: unknown): Promise<{ problem?: string }> {
  const response = await fetch(`/schemas/${kind}/v1.json`).catch(() => undefined)
  if (!response?.ok) return {}
  const wrong = wrongIn(value, (await response.json()) as Schema)
  return wrong === undefined ? {} : { problem: word('upload.willRefuse', { why: sentenceOf(wrong) }) }
}

function sentenceOf({ place, name, value }: Wrong): string {
  const why = word(`upload.schema.${name}`, typeof value === 'number' ? { value, count: value } : { value })
  return place === '' ? word('upload.whole', { why }) : word('upload.at', { place, why })
}

function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
