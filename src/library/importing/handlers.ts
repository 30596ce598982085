// Many items at once, of an archive: published as those of who brings them, by the way of every publication.
import { Problem } from '../../contract/problem.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { GivenUp, inThread, jobOf } from '../../workers/workers.ts'
import type { itemImports } from './contract.ts'
import { type ItemImport, importItem } from './importing.ts'
import type { UnpackedItem, unpackItems } from './unpacking.ts'

const MAX_MILLISECONDS = 30_000
const job = jobOf<typeof unpackItems>(import.meta.resolve('./unpacking.ts'), 'unpackItems', MAX_MILLISECONDS)

async function bringOne(context: Context<Caller>, one: UnpackedItem, wanted: ItemImport) {
  const { file, hidden } = one
  const none = { name: null, version: null, reason: null, warnings: [] as string[] }
  const became =
    'bytes' in one ? await importItem(context, one, wanted) : { outcome: 'left out' as const, reason: one.reason }
  if (became.outcome === 'left out') return { ...none, file, hidden, outcome: became.outcome, reason: became.reason }
  const { outcome, name, version = null } = became
  const warnings = 'warnings' in became ? [...became.warnings] : []
  return { ...none, file, hidden, outcome, name, version, warnings }
}

export const handlers: Handlers<typeof itemImports> = {
  async bring(context, _input, readForm) {
    const { fields, files } = await readForm()
    const [{ path, filename }] = files.file
    const found = await inThread(job, { path, name: filename, from: fields.from }, context.worker()).catch((error) => {
      if (error instanceof GivenUp) return { refused: 'expected an archive that can be read in half a minute' }
      throw error
    })
    if ('refused' in found) throw new Problem('invalid_request', `file: ${found.refused}`)
    if (found.length === 0) throw new Problem('invalid_request', 'file: expected a SKILL.md, or a workflow of n8n')
    const wanted = {
      owner: context.caller,
      isTried: fields.tried === 'on',
      visibility: fields.visibility,
      names: new Set<string>(),
    }
    const items = []
    for (const one of found) items.push(await bringOne(context, one, wanted))
    return { items }
  },
}
