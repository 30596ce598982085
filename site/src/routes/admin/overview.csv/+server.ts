// The weeks of the overview as CSV, for spreadsheets.
import { administering } from '#lib/server/administration.ts'
import { found } from '#lib/server/answers.ts'
import { CSV_START, CSV_TYPE, csvLine } from '../../../../../src/formats/csv.ts'
import type { RequestHandler } from './$types'

const columns = ['week', 'joined', 'active', 'byPeople', 'byAgents', 'databaseBytes', 'storedBytes'] as const

export const GET: RequestHandler = async (event) => {
  await administering(event)
  const { weeks } = await found(event.locals.api.overview.get())
  const lines = [columns, ...weeks.map((week) => columns.map((column) => week[column]))].map(csvLine)
  return new Response(CSV_START + lines.join(''), {
    headers: {
      'Content-Type': CSV_TYPE,
      'Content-Disposition': 'attachment; filename="overview.csv"',
      'Cache-Control': 'no-store',
    },
  })
}
