// The boards of what an export has, by their addresses. Of a board that the account does not read an export says nothing.
import { allBoards } from '../content/board-access/boards.ts'
import { standingsOfAccount } from '../content/board-access/reading.ts'
import type { Dependencies } from '../request/handler.ts'

type Row = Readonly<Record<string, unknown>>

/**
 * A row with the address of its board in the place of the id: the first board has none, as in the API. Undefined for what the account was told of a
 * thing that is in a closed board which it does not read (`closedBoardId`).
 */
export async function boardsOfExport(
  dependencies: Pick<Dependencies, 'db' | 'config'>,
  userId: string,
): Promise<(row: Row) => Row | undefined> {
  const standings = await standingsOfAccount(dependencies, userId)
  const read = (await allBoards(dependencies.db)).filter(({ id }) => standings?.get(id)?.read)
  const slugs = new Map<unknown, string>(read.map(({ id, slug }) => [id, slug]))
  return ({ closedBoardId = null, ...row }) => {
    if (closedBoardId !== null && !slugs.has(closedBoardId)) return undefined
    if (!('boardId' in row)) return row
    const { boardId, ...rest } = row
    const slug = slugs.get(boardId)
    if (slug === undefined) return rest
    const path = typeof rest['path'] === 'string' && { path: rest['path'].replace(String(boardId), slug) }
    return { ...rest, ...path, board: slug }
  }
}
