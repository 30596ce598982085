// Detects the kind and the name of a file before the upload (docs/spec/formats.md).
import type { ItemKind } from '../lib/features/library/item-lists.ts'

export const MAX_BYTES = 20 * 1024 * 1024
const MAX_ORG_BYTES = 500_000

export interface Detected {
  kind?: ItemKind
  name?: string
  /** Why the library will refuse it. */
  problem?: string
}

export async function detect(file: File): Promise<Detected> {
  if (file.size > MAX_BYTES) return { problem: 'The file is too large. The limit is 20 MB.' }
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  // A zip archive starts with PK, 3, 4.
  if (start[0] === 0x50 && start[1] === 0x4b) return { kind: 'automation' }
  const value = json(await file.text())
  if (!value) return { problem: 'The file is neither a package (.mpkg) nor a JSON object.' }
  const name = typeof value['name'] === 'string' ? value['name'].trim() : undefined
  if (Array.isArray(value['nodes'])) return { kind: 'workflow', name }
  if (!Array.isArray(value['roles']))
    return { problem: 'The JSON is neither a workflow (a list of nodes) nor an org (a list of roles).' }
  return file.size > MAX_ORG_BYTES
    ? { kind: 'org', problem: 'The file is too large. The limit for an org is 500 KB.' }
    : { kind: 'org', name }
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
