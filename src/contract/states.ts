// Which states things go through, and which follows which. The update that changes a state asks its table (database/states.ts); the types of
// stored states and docs/states.md follow from the tables too.
import { keysOf } from './records.ts'

/** From each state to those that can follow it. */
export type TransitionTable<States> = { readonly [From in keyof States]: readonly (keyof States)[] }

export type StateIn<Table> = keyof Table & string

/** A step that a table has; without `from` any of its steps to that state. */
export type Transition<Table extends TransitionTable<Table>> = {
  [From in StateIn<Table>]: { from?: From | undefined; to: Table[From][number] & string }
}[StateIn<Table>]

/** Declares a table. What follows a state has to be a state of the table. */
export const transitions = <const Table extends TransitionTable<Table>>(table: Table): Table => table

/** The states that a step may come from: those before `to`, and of them only `from` where it is given. */
export function statesBefore<Table extends TransitionTable<Table>>(
  table: Table,
  { from, to }: Transition<Table>,
): StateIn<Table>[] {
  return keysOf(table).filter((state) => table[state].includes(to) && (from === undefined || state === from))
}

/** A write that waits for a yes. What waits too long is shown as `expired`, and without its grant as `ended`. */
export const pendingActStates = transitions({
  waiting: ['approved', 'refused', 'withdrawn'],
  // It waits again where the server fails, a limit is reached or what it is about has changed.
  approved: ['made', 'failed', 'waiting'],
  made: [],
  failed: [],
  refused: [],
  // By the agent that sent it.
  withdrawn: [],
})

/** `taken:` is before the state of one that is left out while an account is blocked. */
export const deliveryStates = transitions({
  // One that waits can be sent at once.
  pending: ['pending', 'delivered', 'failed', 'taken:pending'],
  delivered: ['pending', 'taken:delivered'],
  failed: ['pending', 'taken:failed'],
  'taken:pending': ['pending'],
  'taken:delivered': ['delivered'],
  'taken:failed': ['failed'],
})

/** What an agent suggests, and a person decides. */
export const suggestionStates = transitions({
  waiting: ['accepted', 'refused', 'withdrawn'],
  accepted: [],
  refused: [],
  withdrawn: [],
})

export const exportStates = transitions({ waiting: ['ready', 'failed'], ready: [], failed: ['waiting'] })

/** What was read of another tracker. It is written in the background, and can be taken back as a whole. */
export const importStates = transitions({
  staged: ['running', 'reverting'],
  running: ['paused', 'done', 'failed', 'reverting'],
  paused: ['running', 'reverting'],
  failed: ['running', 'reverting'],
  done: ['reverting'],
  reverting: ['reverted'],
  reverted: [],
})

/** A later report of the same thing opens another case. */
export const caseStates = transitions({ open: ['closed'], closed: [] })

/** What is `undone` is gone, and the thing is there again. */
export const mergeStates = transitions({
  merging: ['merged'],
  merged: ['final', 'undone'],
  final: [],
  undone: [],
})

const versionStateNames = ['published', 'yanked', 'withheld', 'deleted'] as const
type VersionState = (typeof versionStateNames)[number]
type VersionStates = Readonly<Record<VersionState, readonly VersionState[]>>

/** Of a version, for those who publish it and for admins. An admin who does not publish it withholds it. */
export const versionStates: Readonly<Record<'publisher' | 'admin', VersionStates>> = {
  publisher: {
    // A yank is said again with another reason.
    published: ['published', 'yanked', 'deleted'],
    yanked: ['published', 'yanked', 'deleted'],
    withheld: ['deleted'],
    deleted: [],
  },
  admin: { published: versionStateNames, yanked: versionStateNames, withheld: versionStateNames, deleted: [] },
}
