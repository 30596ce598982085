// Handlers for the runs of an org and their files.
import { readFile } from 'node:fs/promises'
import { recordModeration, requireOwnerOrModerator } from '../../../content/reports/moderation.ts'
import { openObject, removeObjects, uploadedHeaders } from '../../../content/stored-files.ts'
import type { Handlers } from '../../../request/handler.ts'
import { contentDisposition } from '../../../storage/disposition.ts'
import { getOrgId, getVisibleOrgId, lockOrg } from '../queries.ts'
import { type orgRuns, runActions } from './contract.ts'
import * as queries from './queries.ts'
import { contentTypeOf, sandboxHeaders } from './rules.ts'
import { addRun } from './runs.ts'

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
