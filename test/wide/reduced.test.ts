// A copy without the features that a fork can leave out.
import { it } from 'node:test'
import { outside, runLong } from './lane.ts'

it('The server without optional features (needs bash and curl)', async () => {
  await runLong('reduced', ['.ci/without-optional'], outside)
})
