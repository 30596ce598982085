// The data model of reports and of what moderators decide; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { HeldVerdict, ModerationAction, ModerationRule } from '../contract/kinds.ts'
import type { caseStates, StateIn } from '../contract/states.ts'

/** A thing that moderators look at, with all that waits for them there. A thing has one open case at most. */
export interface ModerationCaseTable {
  id: string
  /** The type of a subject, `comment` or `user`. */
  targetType: string
  targetId: string
  authorId: string
  state: StateIn<typeof caseStates>
  /** Open reports, whether it waits for approval, and appeals that wait. */
  reportCount: number
  held: 0 | 1
  appealCount: number
  createdAt: string
  closedAt: string | null
  /** What the classifier said of it, where that held it (content/classifier); null otherwise. */
  machineVerdict: Generated<HeldVerdict | null>
  machineReason: Generated<string | null>
  /** How sure it said it is. */
  machinePercent: Generated<number | null>
  /** The agent that wrote the thing, as the thing has it; null for a person. */
  viaClientId: Generated<string | null>
}

/** A text that waits to be shown to the classifier (content/classifier). */
export interface ClassifierCheckTable {
  /** Of the thing. */
  id: string
  type: string
  /** The agent that wrote it. */
  viaClientId: string | null
  createdAt: string
  /** When no more tries were made; null while it waits. */
  givenUpAt: string | null
  /** How often the text changed while it waits. */
  changes: number
}

/** One open report a person and thing. */
export interface ReportTable {
  id: string
  caseId: string
  targetId: string
  reporterId: string
  reason: ModerationRule
  text: string | null
  createdAt: string
  closed: 0 | 1
}

/** What was done about a thing or an account; the account that it concerns gets a notice, and may appeal once. */
export interface ModerationActTable {
  id: string
  caseId: string | null
  targetType: string
  targetId: string
  /** Of the thing at that time. */
  title: string
  url: string
  accountId: string
  /** null where the account was deleted. */
  actorId: string | null
  action: ModerationAction
  rule: ModerationRule
  reason: string
  createdAt: string
  undoneAt: string | null
  /** When what was removed was deleted for good. */
  purgedAt: string | null
  appeal: string | null
  appealedAt: string | null
  appealGranted: 0 | 1 | null
  appealReason: string | null
  appealDecidedAt: string | null
}

/** A reported thing as it was then, for moderators alone. */
export interface EvidenceTable {
  id: string
  targetType: string
  targetId: string
  /** "Deleted user" once its account is erased. */
  authorId: string
  title: string
  text: string
  createdAt: string
  /** Whether a case on the thing is open. */
  waiting: 0 | 1
  /** When it is deleted at the latest; null while a case waits and the account is there. */
  deleteAt: string | null
}

export interface ModerationDatabase {
  evidence: EvidenceTable
  moderationCase: ModerationCaseTable
  report: ReportTable
  moderationAct: ModerationActTable
  classifierCheck: ClassifierCheckTable
}
