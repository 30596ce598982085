// What other slices may ask of labels, and the handlers of subjects that have some.
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { recordOf } from '../../contract/records.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { required } from '../../runtime/untyped.ts'
import { changeSearch } from '../../search/indexing.ts'
import { labelDocument } from '../../search/things.ts'
import type { LabelDetails } from '../labelled/contract.ts'
import { deleteLabel, findLockedLabel, getLabel, insertLabel, isLabelUsed, listLabels } from '../labelled/queries.ts'
import { recordModeration } from '../reports/moderation.ts'
import type { Store } from '../store/queries.ts'
import { noteChange } from '../threads/queries.ts'
import { noteTracked } from '../tracked/queries.ts'
import { writtenBy } from '../via.ts'

/** Makes a label; undefined where its name is taken. */
export async function createLabel(
  db: Transaction,
  given: Omit<LabelDetails, 'id'> & { id?: string },
): Promise<string | undefined> {
  const label = { id: newId(), ...given }
  if (!(await insertLabel(db, label))) return undefined
  await changeSearch(db, { put: [labelDocument(label)] })
  return label.id
}

/** The first labels by name. */
export const namesOfLabels = async (db: Db, limit: number): Promise<{ id: string; name: string }[]> =>
  (await listLabels(db, { offset: 0, limit })).map(({ id, name }) => ({ id, name }))

/** A label, locked, and whether anything has it; undefined where there is none. */
export async function findLabelUse(
  db: Transaction,
  id: string,
): Promise<(LabelDetails & { isUsed: boolean }) | undefined> {
  const label = await findLockedLabel(db, id)
  return label && { ...label, isUsed: await isLabelUsed(db, id) }
}

/** Removes a label that nothing has. */
export async function removeLabel(db: Transaction, id: string): Promise<void> {
  await deleteLabel(db, id)
  await changeSearch(db, { removed: [id] })
}

// Handlers that put labels on the things of a subject and take them off.

interface LabelInput {
  id: string
  labelId: string
  reason: string | null
}

/** Handlers that put a label on a thing and take one off. */
export function labelHandlers<Thing extends { id: string; authorId: string; createdAt: string }, Parent extends string>(
  {
    type,
    lock,
    touch,
    labelling,
    subject: { parent },
  }: Pick<Store<Thing, Parent>, 'type' | 'lock' | 'touch' | 'labelling' | 'subject'>,
  audit: Readonly<Record<'label' | 'unlabel', AuditAction>>,
) {
  const { attach, detach } = required(labelling)
  const changed = ({ id, labelId }: LabelInput) => ({ ...recordOf(parent ? [parent] : [], () => id), labelId })
  /** For the history of the thing, and its place in lists. The reason is for the audit log alone. */
  const tell = async (
    db: Transaction,
    { caller, now }: Context<Caller>,
    { action, id, labelId }: Omit<LabelInput, 'reason'> & { action: 'labelled' | 'unlabelled' },
  ) => {
    await touch(db, id, now)
    await noteChange(db, {
      targetType: type,
      targetId: id,
      actorId: caller.id,
      createdAt: now,
      action,
      labelId,
      ...writtenBy(caller),
    })
  }
  return {
    async attachLabel(context: Context<Caller>, given: LabelInput) {
      const { id, labelId, reason } = given
      await context.db.transaction().execute(async (transaction) => {
        const row = await lock(transaction, id)
        const detail = { label: (await getLabel(transaction, labelId)).name }
        if (!(await attach(transaction, row, labelId))) return
        await tell(transaction, context, { action: 'labelled', ...given })
        await noteTracked(transaction, { type, id }, context.now)
        await recordModeration(transaction, context, { action: audit.label, on: row, reason, detail })
      })
      return changed(given)
    },
    async detachLabel(context: Context<Caller>, given: LabelInput) {
      const { id, labelId, reason } = given
      await context.db.transaction().execute(async (transaction) => {
        const row = await lock(transaction, id)
        if (!(await detach(transaction, row, labelId))) {
          throw new Problem('not_found', `This label is not on this ${type}`)
        }
        await tell(transaction, context, { action: 'unlabelled', ...given })
        await noteTracked(transaction, { type, id }, context.now)
        const detail = { label: (await getLabel(transaction, labelId)).name }
        await recordModeration(transaction, context, { action: audit.unlabel, on: row, reason, detail })
      })
      return changed(given)
    },
  }
}
