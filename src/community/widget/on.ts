// Whether there is a widget at all.
import type { Config } from '../../config/config.ts'
import { Problem } from '../../contract/problem.ts'

export function requireOn({ widgetSites }: Pick<Config, 'widgetSites'>): void {
  if (widgetSites.length === 0) throw new Problem('not_found', 'There is no widget here')
}
