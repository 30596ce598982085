// The policies that calls are refused by, as the metrics count them: from the figures of this installation.
import { keysOf } from '../contract/records.ts'
import { pairsOf } from '../runtime/counts.ts'
import { type Budgets, DAY, type Rate, windowWord } from './rules.ts'

type Figures = Budgets[keyof Budgets]

const ratesIn = (figures: Figures, scope: string): readonly Rate[] => {
  const rates: unknown = typeof figures === 'object' ? Reflect.get(figures, scope) : undefined
  return Array.isArray(rates) ? (rates as readonly Rate[]) : []
}

const policies = (name: string, rates: readonly Rate[]) =>
  rates.map(({ windowSeconds }) => `${name}-${windowWord(windowSeconds)}`)

/** Every policy with whose it is: `policy|account` or `policy|shared`. */
export function policiesOf(budgets: Budgets): string[] {
  const own: string[] = []
  const shared: string[] = []
  for (const name of keysOf(budgets)) {
    const figures = budgets[name]
    const ofAccounts = [...ratesIn(figures, 'verified'), ...ratesIn(figures, 'unverified')]
    own.push(...policies(name, ofAccounts))
    shared.push(...policies(`${name}-network`, ofAccounts), ...policies(`${name}-all`, ratesIn(figures, 'all')))
    for (const scope of ['address', 'network', 'subnet'])
      own.push(...policies(`${name}-${scope}`, ratesIn(figures, scope)))
  }
  const ofGrants = ['calls', 'writes', 'bytes'].flatMap((what) =>
    policies(`grant-${what}`, [{ count: 0, windowSeconds: DAY }]),
  )
  return [...new Set([...pairsOf([...own, ...ofGrants], ['account']), ...pairsOf(shared, ['shared'])])]
}
