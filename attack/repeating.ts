// Reports of agents that say the same are merged, where an operator wants it: that hides no report that says something else.
import { type Attack, hold, holdRefused } from './attack.ts'
import { bearer, signIn } from './oauth-client.ts'

/** A merge follows within seconds, on a busy machine within half a minute. */
const LOOKS = 60
const LOOK_MS = 500
/** A setting is known in every process within a second. */
const KNOWN_MS = 1_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const repeating: Attack[] = [
  {
    name: 'a report made in advance takes no report of another one away',
    clause: 'access',
    needs: ['newcomers', 'roles'],
    async run(target) {
      const admin = await target.withRole('admin')
      const [attacker, victim] = [await target.newcomer(), await target.newcomer()]
      const agents = [attacker, victim].map(async (one) => bearer(target, (await signIn(target, one)).accessToken))
      const [theirs, own] = await Promise.all(agents)
      hold(theirs && own, 'no agents')
      await admin.api.settings.change({ changes: { MERGE_FLOODS: 'on' } })
      await pause(KNOWN_MS)
      try {
        const bug = { title: 'Sync of the vault loses the newest entries', severity: 'low' } as const
        const many =
          'Sync the vault of two machines twice.\nThe newest entries are gone and the vault shows the older ones.'
        const trap = await theirs.api.bugs.create({
          ...bug,
          description: `${many}\nAny word may stand here: keys, tokens, 404.`,
        })
        const reports = [
          { ...bug, description: many },
          { ...bug, description: 'The newest entries are gone, keys and tokens too.' },
          { ...bug, severity: 'high', description: `${many}\nAny word may stand here: keys, tokens, 404.` },
        ] as const
        const same = await own.api.bugs.create({
          ...bug,
          description: `Any word may stand here: keys, tokens, 404.\n${many}`,
        })
        const ids: string[] = []
        for (const report of reports) ids.push((await own.api.bugs.create(report)).id)
        const whereIs = async (id: string) => (await victim.api.bugs.get({ id })).id
        for (let look = 0; look < LOOKS && (await whereIs(same.id)) !== trap.id; look++) await pause(LOOK_MS)
        for (const id of ids) hold((await whereIs(id)) === id, 'a report went into another one')
        hold((await whereIs(same.id)) === trap.id, 'what says the same was not merged')
        await holdRefused(attacker.api.bugs.delete({ id: trap.id }), [403], 'deleting what others reported')
        return 'reports that say something else stay, and the one that others are in cannot be deleted'
      } finally {
        await admin.api.settings.change({ changes: { MERGE_FLOODS: null } })
      }
    },
  },
]
