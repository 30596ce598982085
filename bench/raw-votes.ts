// The limit for a vote: the same rows changed by raw statements, 64 votes to a commit. Nothing is parsed, checked or sent.
import { DatabaseSync } from 'node:sqlite'
import { bugId, userId } from './fill.ts'

/** As many as there are clients: a commit of the server carries up to one vote of each. */
const A_COMMIT = 64
const MILLISECONDS = 3_000

/** CPU microseconds of one vote on the database at `path`, which a server may have open and idle. Every vote changes a score. */
export function rawVote(path: string, bugs: number): number {
  const db = new DatabaseSync(path)
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000')
  const score = db.prepare('select score from bug where id = ?')
  const count = db.prepare(
    `insert into "rateLimit" values (?, 1, '9') on conflict do update set count = count + 1 returning count`,
  )
  const own = db.prepare('select value from vote where "targetId" = ? and "userId" = ?')
  const vote = db.prepare('insert into vote values (?, ?, ?) on conflict do update set value = excluded.value')
  const onBug = db.prepare('update bug set score = score + ? where id = ?')
  const inFeed = db.prepare('update "feedEntry" set score = score + ? where id = ?')
  const began = performance.now()
  const before = process.cpuUsage()
  let votes = 0
  while (performance.now() - began < MILLISECONDS) {
    db.exec('begin immediate')
    for (let n = 0; n < A_COMMIT; n++, votes++) {
      // As far apart as the bugs that the clients vote on, and as many.
      const id = bugId(((votes % 1_024) * 379) % bugs)
      const delta = votes % 2_048 < 1_024 ? 1 : -1
      score.get(id)
      for (const key of ['account', 'network']) count.get(key)
      own.get(id, userId(0))
      vote.run(id, userId(0), delta)
      onBug.run(delta, id)
      inFeed.run(delta, id)
    }
    db.exec('commit')
  }
  const { user, system } = process.cpuUsage(before)
  db.close()
  return (user + system) / votes
}
