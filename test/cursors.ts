// Reading a list of any entries by cursors.
import assert from 'node:assert/strict'

export interface AnyPage<Entry> {
  items: readonly Entry[]
  nextCursor?: string | null | undefined
}

/** All entries, page after page; `between` is done after the first page. */
export async function allOf<Entry>(
  read: (cursor: string) => Promise<AnyPage<Entry>>,
  between?: () => Promise<unknown>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let cursor = ''; ; ) {
    const { items, nextCursor } = await read(cursor)
    entries.push(...items)
    if (nextCursor === null) return entries
    assert.ok(nextCursor)
    if (cursor === '') await between?.()
    cursor = nextCursor
  }
}

type Read<Entry> = (page: { cursor?: string; per_page: number }) => Promise<AnyPage<Entry>>

/** By cursors each list has what it has in one page, at least so many entries, with pages of any size. */
export async function assertSameByCursor<Entry>(lists: Readonly<Record<string, Read<Entry>>>, least: number) {
  for (const [name, read] of Object.entries(lists)) {
    const { items, ...end } = await read({ per_page: 50 })
    assert.equal('nextCursor' in end, false, name)
    assert.ok(items.length >= least, `${name} has ${items.length}`)
    for (const per_page of [1, 2, items.length, items.length + 1]) {
      assert.deepEqual(await allOf((cursor) => read({ cursor, per_page })), items, `${name} by ${per_page}`)
    }
  }
}
