// A classifier that answers as a test wants it, and what the tests of it ask of a world.
import { startService } from './http-service.ts'
import type { World } from './world.ts'

export const CLASSIFIER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const service = await startService('/classify')
export const settings = { CLASSIFIER_URL: service.url, CLASSIFIER_SECRET, PRIVATE_SERVICES: service.host }

/** From now on each question is answered so; a text is sent as it is. */
export function answering(answer: object | string, status = 200): void {
  service.arrived.length = 0
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
  service.answer = (_, response) => response.writeHead(status, { Location: service.url }).end(body)
}

export const post = { title: 'Watches', body: 'From 9.90!' }
export const sent = () => service.arrived.map(({ body }) => JSON.parse(body))
export const seesPost = ({ anonymous }: World, id: string) =>
  anonymous.posts.get({ id }).then(
    () => true,
    () => false,
  )
