// The weeks of the overview as CSV (RFC 4180), for spreadsheets.
import { administering } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import type { RequestHandler } from './$types'

const columns = ['week', 'joined', 'active', 'byPeople', 'byAgents', 'databaseBytes', 'storedBytes'] as const

export const GET: RequestHandler = async (event) => {
  await administering(event)
  const { weeks } = await found(event.locals.api.overview.get())
  const lines = [columns.join(), ...weeks.map((week) => columns.map((column) => week[column] ?? '').join())]
  return new Response(lines.map((line) => `${line}\r\n`).join(''), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="overview.csv"',
      'Cache-Control': 'no-store',
    },
  })
}
