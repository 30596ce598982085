// list and remove: what is installed, without a server.
import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CommandLine, Context } from './command.ts'
import { hashOf } from './hash.ts'
import { homeOf, type ItemName, nameText, pathOf, readName } from './home.ts'
import { installedOf } from './installed-of.ts'
import { changeLock, readLock, serverOf } from './lock-file.ts'
import type { Place } from './places.ts'
import { placedBy } from './placing.ts'
import { forgetProof } from './proofs.ts'
import { bold, red } from './style.ts'
import { line } from './text.ts'
import { RefusedError } from './usage.ts'

export async function list(context: Context): Promise<void> {
  const home = homeOf(context)
  const all = []
  for (const [name, entry] of await readLock(home)) {
    const path = pathOf(home, readName(name) as ItemName)
    const hash = await hashOf(path)
    const state = hash === undefined ? 'missing' : hash === entry.sha256 ? 'installed' : 'changed'
    const { version, range, sha256, permissions, id = null } = entry
    all.push({ name, id, version, range, state, path, sha256, server: serverOf(entry), permissions })
    const words = [bold(name), ` ${line(version)}  (${line(range)})  ${line(path)}`]
    context.say(...words, ...(state === 'installed' ? [] : [red(`  ${state}`)]))
  }
  if (all.length === 0) context.say('Nothing is installed.')
  context.report(all)
}

export async function remove(context: Context, { words, values }: CommandLine): Promise<void> {
  const home = homeOf(context)
  const lock = await readLock(home)
  const names = (await installedOf(context, lock, words)).map(([name]) => readName(name) as ItemName)
  const found = new Map<string, string | undefined>()
  for (const name of names) found.set(nameText(name), await hashOf(pathOf(home, name)))
  const isChanged = (name: ItemName) => {
    const hash = found.get(nameText(name))
    return hash !== undefined && hash !== lock.get(nameText(name))?.sha256
  }
  const places: Place[] = []
  for (const name of names) {
    const entry = lock.get(nameText(name))
    const before = found.get(nameText(name)) === entry?.sha256 ? pathOf(home, name) : undefined
    places.push(...(await placedBy(context, { target: name, entry, before }, home)))
  }
  const changed = [...names.filter(isChanged).map((name) => pathOf(home, name)), ...places.flatMap(({ lost }) => lost)]
  const { allowLoss } = await import('./consent.ts')
  await allowLoss(context, { isForced: values['force'] === true }, changed)
  await changeLock(home, async () => {
    for (const name of names) {
      if ((await hashOf(pathOf(home, name))) !== found.get(nameText(name)))
        throw new RefusedError('busy', `${nameText(name)} was changed by another command: try again`)
    }
    for (const place of places) await place.change()
    for (const name of names) {
      await rm(pathOf(home, name), { force: true })
      await forgetProof(home, name)
      // Only an empty folder goes.
      await rmdir(dirname(pathOf(home, name))).catch(() => undefined)
    }
    return new Map(names.map((name) => [nameText(name), undefined]))
  })
  for (const name of names) context.say(bold(nameText(name)), ' removed')
  context.report(names.map(nameText))
}
