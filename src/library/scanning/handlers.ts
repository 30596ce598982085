// Reading what the scan found, checking a file before it is published, and the answer of the owner.
import { Problem } from '../../contract/problem.ts'
import { precedenceOf } from '../../formats/version.ts'
import type { Warning } from '../../formats/warnings.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { readFileOf } from '../files/file.ts'
import { findVersion, type ItemRow, lockItem } from '../items/queries.ts'
import { canEdit, FIRST_VERSION, filenameOf } from '../items/rules.ts'
import { getVisible } from '../records/record.ts'
import type { scanning } from './contract.ts'
import { findingsOf, findScan, updateAnswer } from './queries.ts'
import { verdictOf } from './rules.ts'
import { scanUpload } from './scanning.ts'

/** What a caller sees of the scan of a version. Throws `not_found`. */
async function scanOf(context: Pick<Context, 'db' | 'caller'>, item: ItemRow, asked = item.version) {
  const { db, caller } = context
  const found = await findVersion(db, item.id, precedenceOf(asked))
  if (!found) throw new Problem('not_found', `This item has no version ${asked}`)
  const { version } = found
  const scan = await findScan(db, { itemId: item.id, version })
  if (!scan) return { version, verdict: 'unscanned' as const, findings: [], scanned_at: null, answer: null }
  const findings = findingsOf(scan)
  const mayEdit = caller !== undefined && canEdit(caller, item)
  return {
    version,
    verdict: verdictOf(findings),
    findings: findings ?? [],
    scanned_at: scan.scannedAt,
    answer:
      scan.answer !== null && scan.answeredAt !== null ? { text: scan.answer, answered_at: scan.answeredAt } : null,
    ...(mayEdit && { warnings: parseJson<Warning[]>(scan.warnings) }),
  }
}

/** Files are read as for a publication: `readFile` throws what is wrong with one. */
export function scanningHandlers({ readFile }: { readFile: typeof readFileOf }): Handlers<typeof scanning> {
  return {
    scan: async (context, { id, version }) => scanOf(context, await getVisible(context, { id }), version),
    findScan: async (context, { version, ...ref }) => scanOf(context, await getVisible(context, ref), version),

    async scanFile(context, _input, form) {
      const { always, budget } = context
      const { fields, files } = await form()
      await always.transaction().execute((transaction) => budget.spend(transaction))
      const { kind } = fields
      const [file] = files.file
      const { meta, warnings, ...content } = await readFile(kind, file, context.worker())
      const filename = filenameOf({ kind, slug: content.slug ?? 'file', meta }, content.version ?? FIRST_VERSION)
      const findings = await scanUpload(context, { kind, path: file.path, filename, name: content.name })
      return { verdict: verdictOf(findings), findings: findings ?? [], warnings }
    },

    async answerScan(context, { id, version: asked, text }) {
      const { db, caller, now, budget } = context
      const item = await getVisible(context, { id })
      if (item.gallery) throw new Problem('gallery_org', 'This org belongs to the gallery, which has no scans')
      if (!canEdit(caller, item)) throw new Problem('forbidden', 'Only the owner can answer what the scan found')
      await db.transaction().execute(async (transaction) => {
        await lockItem(transaction, id)
        await budget.spend(transaction)
        const version = (await findVersion(transaction, id, precedenceOf(asked)))?.version ?? asked
        const given = text === '' ? { answer: null, answeredAt: null } : { answer: text, answeredAt: now }
        if (await updateAnswer(transaction, { itemId: id, version, ...given })) return
        throw new Problem('not_found', `Version ${asked} has no scan`)
      })
      return scanOf(context, item, asked)
    },
  }
}
