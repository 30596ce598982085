// Things that attacks need to be there: an org with a run file, an item of the library, pictures and archives, honest unless told otherwise.
import { crc32, deflateSync } from 'node:zlib'
import type { ZipEntry } from '../test/corpus/zip-writer.ts'
import { zip } from '../test/corpus/zip-writer.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'

const made = ({ status, text, json }: Reply, what: string): Record<string, unknown> => {
  const body = json()
  if (status !== 201 || !body) throw new Error(`${what} could not be made: ${status} ${text.slice(0, 200)}`)
  return body
}

export const orgJson = (changes: object = {}): string =>
  JSON.stringify({ name: 'Desk', goal: 'Match invoices', roles: [{ id: 'solo', title: 'Solo' }], ...changes })

/** A gallery org of this person. */
export async function makeOrg(person: Person, changes: object = {}): Promise<{ id: string; slug: string }> {
  const reply = await person.post('/api/community/orgs', { orgJson: orgJson(changes) })
  return made(reply, 'An org') as { id: string; slug: string }
}

export const addRun = (
  person: Person,
  orgId: string,
  files: readonly { name: string; content: string | Uint8Array }[],
) =>
  person.upload(
    `/api/community/orgs/${orgId}/runs`,
    files.map(({ name, content }) => ({ field: 'files', filename: name, content })),
  )

/** A run with one file. */
export async function makeRun(person: Person, orgId: string, file: { name: string; content: string | Uint8Array }) {
  const run = made(await addRun(person, orgId, [file]), 'A run') as {
    id: string
    files: { id: string; filename: string }[]
  }
  return { runId: run.id, fileId: run.files[0]!.id, filename: run.files[0]!.filename }
}

export async function makeBug(person: Person, changes: object = {}): Promise<string> {
  const reply = await person.post('/api/community/bugs', {
    title: 'A bug',
    description: 'Text',
    severity: 'low',
    ...changes,
  })
  return made(reply, 'A bug')['id'] as string
}

export const workflow = (changes: object = {}): string =>
  JSON.stringify({
    id: 'wf-1',
    name: 'Digest',
    description: 'Mails a digest',
    version: 1,
    is_active: false,
    nodes: [
      {
        id: 'n1',
        type: 'trigger.cron',
        name: '7am',
        position: { x: 0, y: 0 },
        disabled: false,
        config: {},
        schema: null,
      },
    ],
    connections: [],
    ...changes,
  })

interface Published {
  kind: 'org' | 'workflow' | 'automation'
  content: string | Uint8Array
  fields?: Record<string, string>
}

export const publish = (person: Person, { kind, content, fields = {} }: Published): Promise<Reply> =>
  person.upload('/api/library/items', [
    { field: 'kind', content: kind },
    ...Object.entries(fields).map(([field, value]) => ({ field, content: value })),
    { field: 'file', filename: 'file', content },
  ])

/** An item of the library. */
export async function makeItem(
  person: Person,
  given: Published,
): Promise<Record<string, unknown> & { id: string; slug: string }> {
  return made(await publish(person, given), 'An item') as { id: string; slug: string }
}

/** An automation package with these entries beside a sound manifest. */
export function automation(entries: readonly ZipEntry[], id: string): Buffer {
  const manifest = { schema: 'monoagent.automation/v1', id, name: 'Harbor', version: '0.1.0', actions: ['list'] }
  return zip([{ name: 'automation.json', data: JSON.stringify(manifest) }, ...entries])
}

/** A picture of so many pixels of one bit each, all alike: a few bytes a row before it is decoded. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

export const setAvatar = (person: Person, content: Uint8Array) =>
  person.upload('/api/community/profile/avatar', [{ field: 'avatar', filename: 'me.png', type: 'image/png', content }])
