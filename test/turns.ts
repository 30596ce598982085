// How long the event loop was kept busy at once: CPU time of this thread between two turns, so that a busy machine does not count.

const TICK_MILLISECONDS = 1

/** Watches until `end`; `since` gives the longest turn since it was last asked, in milliseconds. */
export function longestTurn(): { since(): number; end(): void } {
  let longest = 0
  let before = cpuMilliseconds()
  const look = () => {
    const now = cpuMilliseconds()
    longest = Math.max(longest, now - before)
    before = now
  }
  const timer = setInterval(look, TICK_MILLISECONDS)
  return {
    since() {
      const found = Math.round(longest)
      longest = 0
      return found
    },
    end: () => clearInterval(timer),
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
