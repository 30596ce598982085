// `npm run admin -- trackers`: the links of boards with other trackers, how they are, and what can be done with one.
import { actOnLink, linkActs, listLinks } from '../community/trackers/trackers.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const trackers: Command = {
  usage: 'trackers [pause|resume|sync <name>]',
  summary: `lists the links of boards with other trackers: state, last question there, what waits
and what failed; pauses one, lets it go on, or asks there at once and tries again what failed`,
  parameters: [0, 2],
  run,
}

async function run({ settings, parameters: [given, name], output }: Call): Promise<number> {
  const act = linkActs.find((one) => one === given)
  if (given !== undefined && (act === undefined || name === undefined)) {
    output.complain('Use: trackers, or trackers pause, resume or sync with the name or id of a link.')
    return 2
  }
  return withAccounts(settings(), async ({ db }) => {
    if (act === undefined || name === undefined) {
      const found = (await listLinks(db)).map(shown)
      output.result(found, found.length > 0 ? found.map(lineOf).join('\n') : 'No board is linked with another tracker.')
      return 0
    }
    const done = await actOnLink(db, { act, name, now: timestamp(systemClock.now()) })
    if ('refused' in done) {
      output.complain(done.refused)
      return 1
    }
    output.result({ act, ...done }, `${done.name}: ${said[act]}`)
    return 0
  })
}

const said = {
  pause: 'paused; what happens in between goes across afterwards.',
  resume: 'goes on.',
  sync: 'is asked at once, and what failed is tried again.',
} as const

type Link = Awaited<ReturnType<typeof listLinks>>[number]

const shown = ({
  id,
  source: service,
  name,
  state,
  polledAt,
  restUntil,
  waiting,
  failed,
  paired,
  error,
  errorAt,
}: Link) => ({
  ...{ id, service, name, state, polledAt: polledAt || null, restUntil: restUntil || null },
  ...{ paired: Number(paired), waiting: Number(waiting), failed: Number(failed), error, errorAt },
})

/** One link, without what could move the cursor of a terminal: errors have words of the other side. */
function lineOf({
  id,
  service,
  name,
  state,
  polledAt,
  restUntil,
  paired,
  waiting,
  failed,
  error,
}: ReturnType<typeof shown>) {
  const counts = `${paired} paired, ${waiting} waiting, ${failed} failed`
  const rest = restUntil ? `  rests until ${restUntil}` : ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const why = error ? `\n    ${error.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')}` : ''
  return `${id}  ${service} ${name}  ${state}  asked ${polledAt ?? 'never'}  ${counts}${rest}${why}`
}
