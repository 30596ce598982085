// Deliveries of GitHub's webhooks (docs.github.com/webhooks): signed over every byte of the body.
import { z } from 'zod'
import { mac, sameHash } from '../../runtime/hash.ts'
import type { Deliveries, DeliveryNews } from './service.ts'

const Id = z.int().min(1)
const Given = z.object({
  action: z.string().max(50).optional(),
  repository: z.object({ full_name: z.string().max(200) }),
  issue: z.object({ number: Id, updated_at: z.string().max(40) }).optional(),
  comment: z.object({ id: Id, updated_at: z.string().max(40) }).optional(),
  changes: z.object({ body: z.unknown() }).partial().optional(),
  sender: z.object({ id: Id.transform(String), login: z.string().max(100) }).optional(),
})

/** What the API does not say later: who edited a text, and who deleted a comment. */
function toldIn(
  { action, issue, comment, changes, sender: by }: z.infer<typeof Given>,
  event: string,
): DeliveryNews | undefined {
  if (!by || !issue) return undefined
  if (event === 'issues') {
    return action === 'edited' && changes?.body !== undefined ? { what: 'text', by, at: issue.updated_at } : undefined
  }
  if (!comment) return undefined
  const id = String(comment.id)
  if (action === 'deleted') return { what: 'gone', id, by, at: issue.updated_at }
  return action === 'edited' ? { what: 'comment', id, by, at: comment.updated_at } : undefined
}

export const githubDeliveries: Deliveries = {
  isSigned: (secret, { request, body }) =>
    sameHash(request.headers.get('x-hub-signature-256') ?? '', `sha256=${mac(secret, body).toString('hex')}`),
  read({ request, body }) {
    const given = Given.parse(JSON.parse(body))
    const event = request.headers.get('x-github-event') ?? ''
    const isOfIssue = event === 'issues' || event === 'issue_comment'
    return {
      id: request.headers.get('x-github-delivery') ?? '',
      nameKey: given.repository.full_name.toLowerCase(),
      ...(isOfIssue && { number: given.issue?.number, told: toldIn(given, event) }),
    }
  },
}
