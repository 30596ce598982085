// Changes of a state, as its table allows them (contract/states.ts).
import { type RawBuilder, sql } from 'kysely'
import { statesBefore, type Transition, type TransitionTable } from '../contract/states.ts'

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
