// Reads a definition from a file, in the browser and on the server.

export const MAX_DEFINITION_BYTES = 500_000

export type Read = { text: string; problem?: undefined } | { text?: undefined; problem: string }

/** The text of a file; reads at most the limit of a definition. */
export async function readDefinition(file: Blob): Promise<Read> {
  if (file.size > MAX_DEFINITION_BYTES)
    return { problem: `The file has ${file.size.toLocaleString('en-GB')} bytes. The limit is 500,000.` }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { problem: 'The file is not text in UTF-8. Choose the .json file of the org.' }
  }
}

/** A definition in a few words; undefined if it is not one. */
export function glance(text: string): string | undefined {
  try {
    const { name, roles } = JSON.parse(text)
    if (typeof name !== 'string' || !Array.isArray(roles)) return undefined
    return `${name.slice(0, 100)}, ${roles.length === 1 ? '1 role' : `${roles.length} roles`}`
  } catch {
    return undefined
  }
}
