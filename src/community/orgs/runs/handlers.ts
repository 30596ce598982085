// Handlers for the runs of an org and their files.
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { recordModeration, requireOwnerOrModerator } from '../../../content/reports/moderation.ts'
import { openObject, removeObjects, storeThen, uploadedHeaders } from '../../../content/stored-files.ts'
import { writtenBy } from '../../../content/via.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Caller, Context, Handlers } from '../../../request/handler.ts'
import { newId } from '../../../runtime/ids.ts'
import { contentDisposition } from '../../../storage/disposition.ts'
import { getOrgId, getVisibleOrgId, lockOrg } from '../queries.ts'
import { MAX_FILE_BYTES, MAX_FILES, type orgRuns, type Run, runActions } from './contract.ts'
import * as queries from './queries.ts'
import { fileKey, insertRun } from './queries.ts'
import { contentTypeOf, nameOf, sandboxHeaders } from './rules.ts'

// Attaching a run to an org, wherever its files come from: a form, or the arguments of a tool.

/** A file as it was sent. */
interface GivenFile {
  /** As the sender calls it. */
  filename: string
  /** Reads its bytes; called more than once. */
  read(): Promise<Uint8Array>
}

/** Attaches a run to the org of this id or slug; throws what its sender should know, and then keeps nothing. */
export async function addRun(
  context: Context<Caller>,
  org: string,
  { label, files: given }: { label: string | null; files: readonly GivenFile[] },
): Promise<Run> {
  const { db, caller, now, budget } = context
  const files = await checked(given)
  const orgId = await getOrgId(db, org)
  const run = { id: newId(), label, createdAt: now }
  const objects = files.map(({ id, fileType, read }) => ({
    key: fileKey(id),
    contentType: contentTypeOf[fileType],
    read,
  }))
  const rows = files.map(({ read: _, ...file }) => file)
  await storeThen(context, objects, () =>
    db.transaction().execute(async (transaction) => {
      await lockOrg(transaction, orgId)
      await budget.spend(transaction, totalOf(rows))
      await insertRun(transaction, { ...run, orgId, authorId: caller.id, hidden: 0, ...writtenBy(caller) }, rows)
    }),
  )
  return { ...run, files: rows.map(({ sha256: _, ...file }) => file) }
}

const totalOf = (files: readonly { sizeBytes: number }[]) =>
  files.reduce((total, { sizeBytes }) => total + sizeBytes, 0)

/** What the files are kept as. All are looked at before one is stored; only one's bytes are in memory at a time. */
async function checked(given: readonly GivenFile[]) {
  if (given.length === 0) throw new Problem('invalid_request', 'files: a file is required')
  if (given.length > MAX_FILES) throw new Problem('too_large', `files: at most ${MAX_FILES} files`)
  const files = []
  for (const { filename, read } of given) {
    const name = nameOf(filename)
    if (!name) throw new Problem('invalid_request', 'files: each must have a name that ends in .md or .html')
    const bytes = await read()
    if (bytes.byteLength > MAX_FILE_BYTES) {
      throw new Problem('too_large', `${name.filename}: must have at most ${MAX_FILE_BYTES} bytes`)
    }
    if (!isText(bytes)) throw new Problem('invalid_request', `${name.filename}: must be text in UTF-8`)
    files.push({ id: newId(), ...name, sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes), read })
  }
  return files
}

/** UTF-8 without NUL: what they are served as. A file of another type that is called .md is none. */
const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0)

export const handlers: Handlers<typeof orgRuns> = {
  list: async (context, { id: ref, ...input }) =>
    queries.pageOfRuns(context, await getVisibleOrgId(context, ref), input),

  get: async (context, { id: ref, runId }) => queries.getRun(context, await getVisibleOrgId(context, ref), runId),

  async add(context, { id }, readForm) {
    const { fields, files } = await readForm()
    const given = files.files.map(({ filename, path }) => ({ filename, read: () => readFile(path) }))
    return addRun(context, id, { label: fields.label, files: given })
  },

  async delete(context, { id: ref, runId, reason }) {
    const orgId = await getOrgId(context.db, ref)
    const keys = await context.db.transaction().execute(async (transaction) => {
      await lockOrg(transaction, orgId)
      const run = await queries.lockRun(transaction, orgId, runId)
      requireOwnerOrModerator(context.caller, run.authorId)
      const files = await queries.listFileKeys(transaction, runId)
      await queries.deleteRun(transaction, run)
      const detail = { orgId, label: run.label }
      const act = { action: runActions.delete, on: run, name: run.label ?? '', reason, detail }
      await recordModeration(transaction, context, act)
      return files
    })
    await context.afterCommit(() => removeObjects(context, keys))
    return { id: runId }
  },

  async file({ db, blobs }, { fileId }) {
    const { id, filename, fileType, sizeBytes } = await queries.getFile(db, fileId)
    return {
      contentType: contentTypeOf[fileType],
      size: sizeBytes,
      tag: id,
      headers: {
        ...uploadedHeaders,
        ...sandboxHeaders,
        'Content-Disposition': contentDisposition('inline', filename),
      },
      source: { open: (range) => openObject(blobs, queries.fileKey(id), range) },
    }
  },
}
