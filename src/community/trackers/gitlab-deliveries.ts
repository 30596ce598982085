// Deliveries of GitLab's webhooks (docs.gitlab.com/user/project/integrations/webhooks): signed as Standard Webhooks say where the webhook has a
// signing token, otherwise with the secret itself in a header.
import { z } from 'zod'
import { mac, sameHash } from '../../runtime/hash.ts'
import type { Deliveries, DeliveryNews } from './service.ts'

/** A signature counts for so long before and after its moment. */
const SIGNED_SECONDS = 300
const HEAD = 'whsec_'

const Id = z.int().min(1)
const Given = z.object({
  project: z.object({ path_with_namespace: z.string().max(300) }),
  user: z.object({ id: Id.transform(String), username: z.string().max(300) }).optional(),
  object_attributes: z.object({
    id: Id,
    iid: Id.optional(),
    action: z.string().max(50).nullish(),
    updated_at: z.string().max(40),
    system: z.boolean().nullish(),
  }),
  issue: z.object({ iid: Id }).nullish(),
  changes: z.object({ description: z.unknown() }).partial().nullish(),
})

/** Moments of deliveries are `2026-01-01 12:00:00 UTC` in some versions. */
const momentOf = (text: string): string => text.replace(' UTC', 'Z').replace(' ', 'T')

function toldIn({ user, object_attributes: about, changes }: z.infer<typeof Given>, event: string) {
  if (!user) return undefined
  const news = { by: { id: user.id, login: user.username.slice(0, 100) }, at: momentOf(about.updated_at) }
  if (Number.isNaN(Date.parse(news.at))) return undefined
  if (event === 'Issue Hook' && about.action === 'update' && changes?.description !== undefined)
    return { what: 'text', ...news } satisfies DeliveryNews
  if (event === 'Note Hook' && about.action === 'update')
    return { what: 'comment', id: String(about.id), ...news } satisfies DeliveryNews
  return undefined
}

export const gitlabDeliveries: Deliveries = {
  isSigned(secret, { request: { headers }, body, now }) {
    const signatures = headers.get('webhook-signature')
    if (signatures === null) return sameHash(headers.get('x-gitlab-token') ?? '', secret)
    const moment = headers.get('webhook-timestamp') ?? ''
    const isFresh = /^\d{1,12}$/.test(moment) && Math.abs(Number(moment) - Date.parse(now) / 1_000) <= SIGNED_SECONDS
    const key = Buffer.from(secret.slice(HEAD.length), 'base64')
    const wanted = `v1,${mac(key, `${headers.get('webhook-id') ?? ''}.${moment}.${body}`).toString('base64')}`
    return isFresh && signatures.split(' ').some((signature) => sameHash(signature, wanted))
  },
  read({ request: { headers }, body }) {
    const event = headers.get('x-gitlab-event') ?? ''
    const id = headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid') ?? ''
    // What is confidential has events of its own.
    if (event !== 'Issue Hook' && event !== 'Note Hook') return { id, nameKey: '' }
    const given = Given.parse(JSON.parse(body))
    const number = event === 'Issue Hook' ? given.object_attributes.iid : given.issue?.iid
    const nameKey = given.project.path_with_namespace.toLowerCase()
    return { id, nameKey, number, told: toldIn(given, event) }
  },
}
