// No request blocks the others, for any content: every operation gets hostile requests within its limits and above them.
import { it } from 'node:test'
import { casesOf, operations } from './requests.ts'
import { watchedServer } from './watched.ts'

const server = watchedServer()

for (const [name, operation] of operations) {
  it(`no request to ${name} holds up the others`, async () => {
    const { alice, things, watchCases } = server
    await watchCases(casesOf(name, operation, things))
    if (!(await alice.isSignedIn())) await alice.signIn()
  })
}
