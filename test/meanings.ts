// A machine that says what texts mean, and what the tests of meanings ask of a world.
import { meanBy, startMachine } from './http-service.ts'
import type { Person, World } from './world.ts'

const { service, settings: machine } = await startMachine()

export { service }
export const settings = { ...machine, AI_EMBEDDINGS_MODEL: 'vectors-1' }
/** Words that mean about the same to it. */
export const same = [
  ['crashes', 'dies', 'fails', 'stops'],
  ['upload', 'uploading', 'sending'],
  ['picture', 'photo', 'image'],
]
export const report = { title: 'It crashes upload picture', description: 'upload crashes', severity: 'low' } as const
/** The same in other words. */
export const OTHER_WORDS = 'dies sending photo'

/** From now on the machine says what texts mean. */
export function meaning(): void {
  service.arrived.length = 0
  meanBy(service, same)
}

export const inputs = () => service.arrived.flatMap(({ body }) => (JSON.parse(body) as { input: string[] }).input)
export const meant = ({ db }: World) =>
  db.selectFrom('meaning').select(['id', 'vector', 'space']).orderBy('id').execute()
export const similar = async (person: Person, title = OTHER_WORDS, type: 'bug' | 'post' | undefined = 'bug') =>
  (await person.search.similar({ title, ...(type && { type }) })).items
