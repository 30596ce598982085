// Reads a definition from a file, in the browser and on the server.

export const MAX_DEFINITION_BYTES = 500_000

/** The text of a file, or why there is none: the file is too long, or not in UTF-8. */
export type DefinitionText = { text: string; problem?: undefined } | { text?: undefined; problem: 'size' | 'encoding' }

/** The text of a file; reads at most the limit of a definition. */
export async function readDefinition(file: Blob): Promise<DefinitionText> {
  if (file.size > MAX_DEFINITION_BYTES) return { problem: 'size' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { problem: 'encoding' }
  }
}

/** What a definition is called, and how many roles it has; undefined if it is none. */
export function glance(text: string): { name: string; roles: number } | undefined {
  try {
    const { name, roles } = JSON.parse(text)
    if (typeof name !== 'string' || !Array.isArray(roles)) return undefined
    return { name: name.slice(0, 100), roles: roles.length }
  } catch {
    return undefined
  }
}
