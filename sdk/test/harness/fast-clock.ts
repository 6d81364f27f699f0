// Preloaded into an API process by a test: makes its clock run CLOCK_FACTOR times faster, starting at CLOCK_ORIGIN.
const factor = Number(process.env['CLOCK_FACTOR'])
const origin = Number(process.env['CLOCK_ORIGIN'])
const MachineDate = Date
const machinePerformanceNow = performance.now.bind(performance)
const fastNow = () => origin + (MachineDate.now() - origin) * factor

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [fastNow()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? fastNow : Reflect.get(target, name, receiver)),
})
performance.now = () => machinePerformanceNow() * factor
