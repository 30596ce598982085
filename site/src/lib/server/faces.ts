// The pictures of the people whom a page names: their own, or one that is made from their names.
import { madeFace } from '#lib/ui/faces.ts'
import { found } from './answers.ts'

interface Person {
  id: string
  username: string | null
}

/** As many as one call of the API answers. */
const MAX_FACES = 100

/** Gives the address of the picture of each of these people, by one call. An erased account has none. */
export async function facesOf({ api }: Pick<App.Locals, 'api'>, people: readonly Person[]) {
  const ids = [...new Set(people.filter(({ username }) => username !== null).map(({ id }) => id))]
  const { items } =
    ids.length > 0 ? await found(api.members.cards({ ids: ids.slice(0, MAX_FACES).join() })) : { items: [] }
  const uploaded = new Map(items.map(({ id, avatarUrl }) => [id, avatarUrl]))
  return ({ id, username }: Person): string => uploaded.get(id) ?? madeFace(id, username)
}

interface Written {
  authorId: string
  authorUsername: string | null
}

/** Adds the picture of its author to each. */
export async function withFaces<One extends Written>(locals: Pick<App.Locals, 'api'>, items: readonly One[]) {
  const person = ({ authorId: id, authorUsername: username }: Written) => ({ id, username })
  const faceOf = await facesOf(locals, items.map(person))
  return items.map((one) => ({ ...one, face: faceOf(person(one)) }))
}
