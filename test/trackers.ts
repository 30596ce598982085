// A board that is linked with a place of a fake service (test/github.ts, test/gitlab.ts, test/linear.ts).
import assert from 'node:assert/strict'
import type { ServiceName } from '../src/community/trackers/contract.ts'
import { FakeGitHub } from './github.ts'
import type { FakeRepository, GitHubDelivery } from './github-repository.ts'
import { FakeGitLab } from './gitlab.ts'
import { FakeLinear } from './linear.ts'
import type { Person, World } from './world.ts'

export type { GitHubDelivery, StoredIssue } from './github-repository.ts'

export const github = await new FakeGitHub().start()
export const gitlab = await new FakeGitLab().start()
export const linear = await new FakeLinear().start()
export const settings = {
  ...{ GITHUB_API_URL: github.url, GITLAB_API_URL: gitlab.url, LINEAR_API_URL: linear.url },
  PRIVATE_SERVICES: `${github.host},${gitlab.host},${linear.host}`,
}

export const fakes: Record<ServiceName, FakeRepository> = { github, gitlab, linear }

/** Begins with an empty repository at GitHub whose clock is that of the world, and links it. */
export const link = (world: World, more: object = {}) => linkTo(world, 'github', more)

/** The same of any service. */
export async function linkTo(world: World, service: ServiceName, more: object = {}) {
  const there = fakes[service]
  there.issues.length = there.deliveries.length = there.requests.length = 0
  for (const map of [there.labels, there.users]) map.clear()
  Object.assign(there, {
    now: () => world.clock.now(),
    limited: undefined,
    losesAnswer: false,
    isPrivate: false,
    onDelivery: () => {},
  })
  const token = there.tokenOf('guild-bot')
  const made = await world.admin.trackers.create({ service, name: there.name, token, ...more })
  there.secret = made.secret
  return { ...made, ...waysOf(world, made.id, service) }
}

export type Linked = Awaited<ReturnType<typeof linkTo>>

const headersOf = ({ event, id, signature, headers }: GitHubDelivery): Record<string, string> =>
  headers ?? { 'X-GitHub-Event': event, 'X-GitHub-Delivery': id, 'X-Hub-Signature-256': signature }

function waysOf(world: World, id: string, service: ServiceName) {
  const { app, clock, anonymous } = world
  const there = fakes[service]
  const deliver = (delivery: GitHubDelivery, to = id) =>
    anonymous.request(`/api/trackers/${service}/${to}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headersOf(delivery) },
      body: delivery.body,
    })
  return {
    there,
    deliver,
    /** All deliveries arrive, once and in order, and all that waits is done. */
    async settle() {
      for (let round = 0; round < 6; round++) {
        for (const delivery of there.deliveries.splice(0)) assert.equal((await deliver(delivery)).status, 202)
        await app.deliver()
        await app.syncTrackers()
      }
    },
    /** The same without any delivery: changes are asked for. */
    async poll() {
      there.deliveries.length = 0
      for (let round = 0; round < 3; round++) {
        clock.pass(61)
        await app.deliver()
        await app.syncTrackers()
      }
      there.deliveries.length = 0
    },
    /** Makes a person there act for a member here. */
    async linkPerson(login: string, person: Person) {
      if (!there.users.has(login)) there.addUser(login)
      const username = `${login}-here`
      await person.profile.setUsername({ username })
      await world.admin.trackers.setPerson({ id, login, username })
      return username
    },
  }
}
