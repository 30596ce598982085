// The installed items that words name, as guildhall.lock has them: kind/slug as people write it, an id, or either with the version that is there.
import { GuildhallError } from '../../client/src/errors.ts'
import type { Context } from './command.ts'
import { nameText, readName } from './home.ts'
import { isId, readItem } from './item-of.ts'
import { type LockedItem, type LockedItems, serverOf } from './lock-file.ts'
import { RefusedError } from './usage.ts'

/** Whether a word can name an item, and is no folder. */
export function namesItem(word: string): boolean {
  const [name = ''] = word.split('@')
  return isId(name) || readName(name) !== undefined
}

/** Each once, in the order of the words; all of them without words. Throws RefusedError for what is not installed. */
export async function installedOf(
  context: Context,
  lock: LockedItems,
  words: readonly string[],
): Promise<[string, LockedItem][]> {
  if (words.length === 0) return [...lock]
  const found = new Map<string, LockedItem>()
  for (const word of words) {
    const name = await nameOf(context, lock, word)
    const entry = name === undefined ? undefined : lock.get(name)
    const version = word.split('@')[1]
    if (name === undefined || !entry || (version !== undefined && version !== entry.version))
      throw new RefusedError('not_installed', `${word} is not installed: guildhall list shows what is`)
    found.set(name, entry)
  }
  return [...found]
}

/** An id that the lock does not have is one of a lock from before, or none of these: then the server says which name it has. */
async function nameOf(context: Context, lock: LockedItems, word: string): Promise<string | undefined> {
  const [text = ''] = word.split('@')
  const name = readName(text)
  if (name && lock.has(nameText(name))) return nameText(name)
  const id = name ? name.slug : text
  if (!isId(id)) return undefined
  const known = [...lock].find(([, entry]) => entry.id === id.toLowerCase())?.[0]
  if (known !== undefined) return name === undefined || known.startsWith(`${name.kind}/`) ? known : undefined
  if ([...lock.values()].every((entry) => entry.id !== undefined)) return undefined
  try {
    const item = await readItem(text)(await context.client())
    const entry = lock.get(nameText(item))
    return entry && serverOf(entry) === (await context.url()) ? nameText(item) : undefined
  } catch (error) {
    if (error instanceof GuildhallError && error.status === 404) return undefined
    throw error
  }
}
