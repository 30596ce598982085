// Boards on pages: those that the reader reads, the board of a thing, and the move of a thing to another one.
import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { FIRST_BOARD } from '../../../../src/content/board-access/rules.ts'
import type { ListedSubject } from '../../../../src/content/subject.ts'
import { action, field, found, reasonIn, stay } from './answers.ts'

type Boards = Answer<'boards.list'>['items']

export const isFirst = ({ id }: Pick<Boards[number], 'id'>) => id === FIRST_BOARD

const several = (boards: Boards): Boards => (boards.length > 1 ? boards : [])

/** The boards that the reader reads; none where there is only the first one, so that pages say nothing of boards. */
export const boardsOf = async ({ api }: Pick<App.Locals, 'api'>): Promise<Boards> =>
  several((await found(api.boards.list({}))).items)

/** What boards call a status, by their addresses: things name no board in the first one, which is ''. */
const wordsIn = (boards: Boards, type: string): Record<string, Record<string, string>> =>
  Object.fromEntries(
    boards.map((board) => [isFirst(board) ? '' : board.slug, Reflect.get(board.statuses, type) ?? {}] as const),
  )

/** The boards that a list can be of, and what they call the statuses of its things. */
export async function boardsOfList(
  { api }: Pick<App.Locals, 'api'>,
  { boards, type }: ListedSubject,
): Promise<{ boards: Boards; statusWords: ReturnType<typeof wordsIn> }> {
  if (!boards) return { boards: [], statusWords: {} }
  const { items } = await found(api.boards.list({}))
  return { boards: several(items), statusWords: wordsIn(items, type) }
}

/** What the page of a thing says of its board: which names none in the first one. */
export async function boardOfThing(
  { api }: Pick<App.Locals, 'api'>,
  { boards: isBoarded, type }: ListedSubject,
  thing: { board?: string | undefined },
) {
  if (!isBoarded) return undefined
  const { items } = await found(api.boards.list({}))
  const boards = several(items)
  const here = boards.find((board) => (thing.board === undefined ? isFirst(board) : board.slug === thing.board))
  const named = ({ slug, name }: Boards[number]) => ({ slug, name })
  return {
    statusWords: wordsIn(items, type)[thing.board ?? ''] ?? {},
    here: here && {
      ...named(here),
      ...{ url: here.url, closed: here.closed },
      /** Where the reader may move it. */
      others: here.can.moderate
        ? boards.filter((one) => one !== here && one.can.write && one.can.moderate).map(named)
        : [],
    },
  }
}

export type BoardOfThing = NonNullable<NonNullable<Awaited<ReturnType<typeof boardOfThing>>>['here']>

/** The form that moves the thing of a page. What others would read is moved once that is confirmed. */
export const moveAction = (type: (event: RequestEvent) => 'bug') =>
  action(
    (form, event: RequestEvent<{ id: string }>) =>
      event.locals.api.boards.move({
        board: field(form, 'board'),
        type: type(event),
        id: event.params.id,
        confirm: form.has('confirm'),
        reason: reasonIn(form),
      }),
    stay,
  )
