// Changes of a state, as its table allows them (contract/states.ts).
import { type RawBuilder, sql } from 'kysely'
import { keysOf } from '../contract/records.ts'
import { type StateIn, statesBefore, type Transition, type TransitionTable } from '../contract/states.ts'

/**
 * The condition of an update that makes a step: the row is in a state before it. Of two steps from one state that come at once the second
 * changes nothing. `state` is an expression where it follows from other columns.
 */
export function mayStep<Table extends TransitionTable<Table>>(
  table: Table,
  step: Transition<Table>,
  state: RawBuilder<unknown> = sql.ref('state'),
): RawBuilder<boolean> {
  const before = statesBefore(table, step)
  return before.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${state} in (${sql.join(before)})`
}

/** Steps of many rows in one update, each from its own state. */
interface Steps {
  /** The state that a row gets. */
  to: RawBuilder<string>
  /** Whether a row is in a state that has a step. */
  may: RawBuilder<boolean>
}

/** The steps to what `next` names for a state: a step that the table does not have is refused when the program starts. */
export function stepsOf<Table extends TransitionTable<Table>>(
  table: Table,
  next: (state: StateIn<Table>) => string | undefined,
  state: RawBuilder<unknown> = sql.ref('state'),
): Steps {
  const steps = keysOf(table).flatMap((from) => {
    const to = next(from)
    if (to === undefined) return []
    const step = table[from].find((one) => one === to)
    if (step === undefined) throw new Error(`there is no step from ${from} to ${to}`)
    return [{ from, to }]
  })
  const cases = steps.map(({ from, to }) => sql`when ${sql.lit(from)} then ${sql.lit(to)}`)
  return {
    to: sql<string>`case ${state} ${sql.join(cases, sql` `)} end`,
    may: sql<boolean>`${state} in (${sql.join(steps.map(({ from }) => sql.lit(from)))})`,
  }
}
