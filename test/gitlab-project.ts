// The project of the GitLab for tests (gitlab.ts): what people do there, and the deliveries of webhooks that follow.
import { createHmac, randomUUID } from 'node:crypto'
import { type Body, FakeRepository, type GitHubUser, type StoredIssue } from './github-repository.ts'

export const person = ({ id, login }: GitHubUser) => ({ id, username: login, name: login, state: 'active' })

/** Every write makes a delivery, as the API and the site of GitLab do. */
export abstract class FakeProject extends FakeRepository {
  /** Whether its webhook has a signing token, and not the older secret token. */
  signs = true
  readonly hidden = new Set<number>()
  readonly internal = new Set<number>()

  override moment(): string {
    return new Date(this.now()).toISOString()
  }

  override update(by: GitHubUser, issue: StoredIssue, changes: Body): StoredIssue {
    const isNew = changes['body'] !== undefined && changes['body'] !== issue.body
    const reason = changes['state'] === 'closed' ? { state_reason: 'completed' } : {}
    if (isNew) this.note(issue, by, 'described')
    return super.update(by, issue, { ...changes, ...reason })
  }

  override editComment(by: GitHubUser, issue: StoredIssue, given: { id: number; body: string }) {
    issue.updated_at = this.moment()
    return super.editComment(by, issue, given)
  }

  override tell(event: string, by: GitHubUser, more: Body): void {
    const { action, issue, comment, changes = {} } = more as Record<string, Body | undefined> & { action: string }
    if (event === 'issue_comment' && more['action'] === 'deleted') return
    const number = Number(issue?.['number'])
    const isNote = event === 'issue_comment'
    const isSecret = this.hidden.has(number) || (isNote && this.internal.has(Number(comment?.['id'])))
    const name = `${isSecret ? 'Confidential ' : ''}${isNote ? 'Note' : 'Issue'} Hook`
    const verb = String(action)
    const actions: Record<string, string> = { opened: 'open', closed: 'close', reopened: 'reopen', created: 'create' }
    const about = isNote ? comment : issue
    const body = JSON.stringify({
      object_kind: isNote ? 'note' : 'issue',
      user: person(by),
      project: { id: 1, path_with_namespace: this.name },
      object_attributes: {
        ...{
          id: about?.['id'],
          action: actions[verb] ?? 'update',
          updated_at: this.#hookMoment(about?.['updated_at']),
        },
        ...(isNote ? { note: about?.['body'], noteable_type: 'Issue', system: false } : { iid: number }),
      },
      ...(isNote && { issue: { iid: number } }),
      changes: Object.hasOwn(changes, 'body') ? { description: { previous: 'x', current: 'y' } } : {},
    })
    this.deliveries.push(this.#signed(name, body))
    this.onDelivery(this.deliveries.at(-1)!)
  }

  #hookMoment = (moment: unknown) =>
    String(moment)
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' UTC')

  /** As the webhook sends it. */
  sign(body: string, { event = 'Issue Hook', secret = this.secret, id = randomUUID(), at = this.now() } = {}) {
    const moment = String(Math.floor(at / 1000))
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${moment}.${body}`).digest('base64')}`
    return {
      ...{ 'X-Gitlab-Event': event, 'X-Gitlab-Event-UUID': randomUUID(), 'Idempotency-Key': id },
      ...(this.signs
        ? { 'webhook-id': id, 'webhook-timestamp': moment, 'webhook-signature': signature }
        : { 'X-Gitlab-Token': secret }),
    }
  }

  #signed(event: string, body: string) {
    const id = randomUUID()
    return { event, id, body, signature: '', headers: this.sign(body, { event, id }) }
  }
}
