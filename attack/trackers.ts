// Two ways with a tracker: forged deliveries, links of others, huge bodies, and members who link.
import { createHmac, randomUUID } from 'node:crypto'
import { type Attack, hold, holdEach, holdRefused, holdStatus } from './attack.ts'

const signed = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const deliveryOf = (name: string) =>
  JSON.stringify({
    ...{ action: 'edited', repository: { full_name: name }, sender: { id: 1, login: 'eve' } },
    ...{ issue: { number: 1, updated_at: '2026-01-01T00:00:00Z' }, changes: { body: { from: 'x' } } },
  })

const headersOf = (signature: string) => ({
  ...{ 'Content-Type': 'application/json', 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': randomUUID() },
  'X-Hub-Signature-256': signature,
})

export const trackers: Attack[] = [
  {
    name: 'a delivery that GitHub did not sign for this link does nothing, of what its signature and its address are made',
    clause: 'access',
    async run(target) {
      const names = ['acme/looms', '__proto__/constructor', '../../etc/passwd', "a'--/b", 'x'.repeat(10_000)]
      const ids = [randomUUID(), '__proto__', 'null', "' or 1=1 --", '%2e%2e', 'a'.repeat(500)]
      await holdEach(
        names,
        (name) => name.slice(0, 40),
        async (name) => {
          const body = deliveryOf(name)
          const signatures = ['', 'sha256=', 'sha1=00', ...['', 'null', 'secret'].map((secret) => signed(secret, body))]
          for (const id of ids) {
            for (const signature of signatures) {
              const path = `/api/trackers/github/${encodeURIComponent(id)}`
              holdStatus(
                await target.anonymous().post(path, body, headersOf(signature)),
                [400, 401, 404, 429],
                'a delivery',
              )
            }
          }
        },
      )
      return `${names.length * ids.length * 6} deliveries`
    },
  },
  {
    name: 'a delivery of no service is taken at the address of another one, or with a header that any of them knows',
    clause: 'access',
    async run(target) {
      const now = String(Math.floor(Date.now() / 1000))
      const body = JSON.stringify({
        ...{ object_kind: 'issue', project: { path_with_namespace: 'acme/looms' }, type: 'Issue', action: 'update' },
        ...{ object_attributes: { id: 1, iid: 1, updated_at: '2026-01-01' }, data: { id: '1', identifier: 'LOOM-1' } },
        ...{ webhookTimestamp: Date.now(), createdAt: new Date().toISOString() },
      })
      const headers: Record<string, string>[] = [
        { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': '' },
        { 'X-Gitlab-Event': 'Issue Hook', 'X-Gitlab-Token': 'undefined' },
        { 'webhook-id': '1', 'webhook-timestamp': now, 'webhook-signature': 'v1, v1a,x v1,' },
        { 'webhook-id': '1', 'webhook-timestamp': '1e9', 'webhook-signature': '' },
        { 'Linear-Signature': '', 'Linear-Delivery': '1' },
        { 'Linear-Signature': signed('', body).slice(7), 'Linear-Delivery': '1' },
        headersOf(signed('', body)),
      ]
      const paths = ['github', 'gitlab', 'linear', 'jira', '__proto__', 'constructor']
      await holdEach(
        paths,
        (path) => path,
        async (service) => {
          for (const id of [randomUUID(), '__proto__']) {
            for (const given of headers) {
              const sent = { 'Content-Type': 'application/json', ...given }
              const answer = await target.anonymous().post(`/api/trackers/${service}/${id}`, body, sent)
              holdStatus(answer, [400, 401, 404, 429], 'a delivery')
            }
          }
        },
      )
      return `${paths.length * 2 * headers.length} deliveries`
    },
  },
  {
    name: 'a delivery is bounded, and what is no JSON is refused',
    clause: 'input',
    async run(target) {
      const path = `/api/trackers/github/${randomUUID()}`
      const bodies = ['x'.repeat(2 * 1024 * 1024), '['.repeat(500_000), '{"a":'.repeat(100_000), '\0', '']
      await holdEach(
        bodies,
        (body) => `${body.length} bytes`,
        async (body) => {
          const answer = await target.anonymous().post(path, body, headersOf(signed('secret', body)))
          holdStatus(answer, [400, 401, 404, 413, 429], 'a delivery')
        },
      )
      return `${bodies.length} bodies`
    },
  },
  {
    name: 'links with repositories are made by admins alone',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const { api } = await target.newcomer()
      const id = randomUUID()
      await holdRefused(api.trackers.list({}), [403], 'the list')
      await holdRefused(api.trackers.create({ name: 'acme/looms', token: 'x' }), [403], 'a link')
      await holdRefused(api.trackers.update({ id, state: 'on' }), [403], 'a change')
      await holdRefused(api.trackers.update({ id, secret: 'x'.repeat(32) }), [403], 'a secret')
      await holdRefused(api.trackers.remove({ id }), [403], 'an end')
      await holdRefused(api.trackers.setPerson({ id, login: 'octocat', username: null }), [403], 'a person')
      return '6 operations'
    },
  },
  {
    name: 'who proves to be a person of a tracker does so in a session of their own, where a link is, and with a code that is told once',
    clause: 'access',
    needs: ['newcomers'],
    async run(target) {
      const member = await target.newcomer()
      const { api } = member
      const services = ['github', 'gitlab', 'linear'] as const
      const logins = ['octocat', 'x'.repeat(100), '@admin', 'octocat]', '‮tacotco']
      const anonymous = target.anonymous().api
      for (const service of services) {
        await holdRefused(
          anonymous.trackerAccounts.ask({ service, login: 'octocat' }),
          [401],
          'a code without a session',
        )
        await holdRefused(anonymous.trackerAccounts.remove({ service }), [401], 'an end without a session')
        await holdRefused(api.trackerAccounts.remove({ service }), [404], 'an end of nothing')
      }
      const result = await holdEach(
        logins,
        (login) => login.slice(0, 20),
        (login) => holdRefused(api.trackerAccounts.ask({ service: 'github', login }), [400, 404, 429, 503], login),
      )
      const list = JSON.stringify(await api.trackerAccounts.list())
      hold(!/octocat|"code"/.test(list), 'the list tells a person or a code')
      return result
    },
  },
]
