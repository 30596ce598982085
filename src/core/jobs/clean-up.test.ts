// Which rows of the table of jobs are removed, and which are kept.
import assert from 'node:assert/strict'
import { jobsOf } from '../../../test/jobs.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { deleteOldJobs } from './queries.ts'

const KEPT = 30 * 86_400
const MILLISECOND = 0.001

onEveryEngine('the clean-up of jobs', (it) => {
  it('removes what was given up or failed last more than 30 days ago, and keeps what is needed', async (world) => {
    const { leave, moment, db } = jobsOf(world)
    const [kept, old] = [moment(-KEPT), moment(-KEPT - MILLISECOND)]
    const rows = {
      'given up': { runAt: old, failedAt: kept, attempts: 3 },
      'given up long ago': { runAt: old, failedAt: old, attempts: 3 },
      'given up long ago, and begun': { runAt: old, failedAt: old, attempts: 3, cursor: 'half' },
      failed: { runAt: kept, attempts: 1, error: 'no' },
      'failed long ago': { runAt: old, attempts: 1, error: 'no' },
      'left behind': { runAt: old, leasedUntil: kept },
      'left behind long ago': { runAt: old, leasedUntil: old },
      'at work': { runAt: old, leasedUntil: moment(60) },
      'its next time': { runAt: moment(300) },
      'tried again later': { runAt: moment(300), attempts: 9, error: 'no' },
      'done once': { runAt: old, doneAt: old },
      'half done, by a server that was off': { runAt: old, cursor: 'half' },
      'half done, of a migration': { runAt: '', cursor: 'half' },
    }
    for (const [key, row] of Object.entries(rows)) await leave({ key, ...row })
    await deleteOldJobs(db, moment())
    const left = await db.selectFrom('job').select('key').where('kind', '=', 'test.work').execute()
    const gone = Object.keys(rows).filter((key) => !left.some((row) => row.key === key))
    assert.deepEqual(gone, [
      'given up long ago',
      'given up long ago, and begun',
      'failed long ago',
      'left behind long ago',
    ])
  })
})
