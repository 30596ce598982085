// Items for tests that install: what is published, where it is put, and the questions that are answered.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { workflowFile } from '../../test/library.ts'
import type { Person } from '../../test/world.ts'
import type { Terminal } from './terminal.ts'

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** A workflow that gets these sites. */
export const fileFor = (...sites: string[]) =>
  workflowFile({
    name: 'Digest',
    nodes: sites.map((site, n) => ({
      id: `n${n}`,
      type: 'http.get',
      name: `Get ${n}`,
      config: { url: `https://${site}/` },
    })),
    connections: [],
    automations: {},
    unbundledAutomations: {},
  })

/** workflow/digest with these versions and the sites that each gets. */
export async function publish(
  by: Person,
  versions: Record<string, string[]>,
  visibility: 'public' | 'private' = 'public',
): Promise<void> {
  let id: string | undefined
  for (const [version, sites] of Object.entries(versions)) {
    const file = fileFor(...sites)
    if (id === undefined) {
      id = (await by.library.publish({ kind: 'workflow', visibility, version, file })).id
    } else await by.library.publishVersion({ id, version, file })
  }
}

export const homeOf = ({ home }: Terminal, name = 'items') => join(home, name)
export const at = (terminal: Terminal, more: { name?: string; isTerminal?: boolean; expected?: number } = {}) => {
  const { name = 'items', ...rest } = more
  return { environment: { GUILDHALL_HOME: homeOf(terminal, name), GUILDHALL_URL: terminal.server }, ...rest }
}

export async function lockOf(terminal: Terminal, name = 'items') {
  return JSON.parse(await readFile(join(homeOf(terminal, name), 'guildhall.lock'), 'utf8'))
}

export const digest = (terminal: Terminal, name = 'items') =>
  readFile(join(homeOf(terminal, name), 'workflows/digest/digest.json'), 'utf8')
