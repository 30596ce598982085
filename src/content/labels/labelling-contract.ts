// What has labels: the field and the filter of its lists, and the operations that put labels on it and take them off.
import { z } from 'zod'
import type { AuditAction } from '../../contract/audit.ts'
import { Id } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { recordOf } from '../../contract/records.ts'
import { severalNames } from '../../contract/several.ts'
import { moderateThing } from '../area.ts'
import { BodyReason, Reason } from '../hiding/moderation-contract.ts'
import { Label, MAX_LABELS } from '../labelled/contract.ts'
import type { ListedSubject } from '../subject.ts'

/** What lists are filtered by. */
export const labelFilter = {
  label: severalNames(Id, MAX_LABELS, 'Id or name; several with commas').optional(),
}

/** What lists and pages show. */
export const labelFields = { labels: z.array(Label) }

export function labelOperations<Parent extends string>(
  { type, one, path, parent }: Pick<ListedSubject, 'type' | 'one' | 'path'> & { parent?: Parent },
  audit: Readonly<Record<'label' | 'unlabel', AuditAction>>,
) {
  const output = z.object({ ...recordOf(parent ? [parent] : [], () => Id), labelId: Id })
  return {
    attachLabel: {
      summary: `Put a label on ${one}; one that is there already stays`,
      synonyms: ['add label', `tag ${type}`, `label ${type}`, 'attach label'],
      method: 'POST',
      kind: 'posts',
      path: `${path}/{id}/labels`,
      suggests: 'person',
      idempotent: true,
      access: moderateThing,
      audit: [audit.label],
      input: z.object({ id: Id, labelId: Id, reason: BodyReason }),
      output,
      problems: ['not_found'],
    },
    detachLabel: {
      summary: `Take a label off ${one}`,
      synonyms: ['remove label', `untag ${type}`, 'unlabel'],
      method: 'DELETE',
      kind: 'posts',
      path: `${path}/{id}/labels/{labelId}`,
      suggests: 'person',
      access: moderateThing,
      audit: [audit.unlabel],
      input: z.object({ id: Id, labelId: Id, reason: Reason }),
      output,
      problems: ['not_found'],
    },
  } as const satisfies Contract
}
