"""NVIDIA's driver, by ctypes: what the tests of this folder call of it."""

import ctypes

import numpy

#: For cuModuleLoadDataEx.
ERROR_LOG, ERROR_LOG_BYTES = 5, 6
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76


class DriverError(RuntimeError):
    """An error of the driver: its number, its name, and the log of its assembler."""

    def __init__(self, call, number, name, log=""):
        super().__init__(f"{call}: {name} ({number})" + (f"\n{log}" if log else ""))
        self.number, self.name, self.log = number, name, log


def library():
    """Returns the driver's library, or None and why there is none."""
    try:
        return ctypes.CDLL("libcuda.so.1"), ""
    except OSError as error:
        return None, str(error)


class Driver:
    """One device and a context on it, which is current in this thread."""

    def __init__(self, number=0):
        self._library, why = library()
        if not self._library:
            raise DriverError("dlopen", -1, why)
        self("cuInit", 0)
        device = ctypes.c_int()
        self("cuDeviceGet", ctypes.byref(device), number)
        self.device = device.value
        self.context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self("cuCtxSetCurrent", self.context)

    def __call__(self, name, *arguments):
        """Calls a function of the driver; raises what it returns."""
        number = getattr(self._library, name)(*arguments)
        if number:
            raise DriverError(name, number, self.name_of(number))

    def name_of(self, number):
        text = ctypes.c_char_p()
        self._library.cuGetErrorName(number, ctypes.byref(text))
        return (text.value or b"unknown").decode()

    def version(self):
        number = ctypes.c_int()
        self("cuDriverGetVersion", ctypes.byref(number))
        return number.value

    def device_name(self):
        text = ctypes.create_string_buffer(256)
        self("cuDeviceGetName", text, 256, self.device)
        return text.value.decode()

    def attribute(self, which):
        number = ctypes.c_int()
        self("cuDeviceGetAttribute", ctypes.byref(number), which, self.device)
        return number.value

    def architecture(self):
        return f"sm_{self.attribute(CAPABILITY_MAJOR)}{self.attribute(CAPABILITY_MINOR)}"

    def load(self, ptx):
        """Returns the module of a PTX text, or of a cubin."""
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(1 << 14)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p).value, len(log))
        try:
            self("cuModuleLoadDataEx", ctypes.byref(module), bytes(ptx) + b"\0", 2,
                 options, values)
        except DriverError as error:
            raise DriverError("cuModuleLoadDataEx", error.number, error.name,
                              log.value.decode(errors="replace")) from None
        return Module(self, module)

    def allocate(self, size):
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address):
        self("cuMemFree_v2", ctypes.c_uint64(address))

    def to_device(self, array):
        address = self.allocate(array.nbytes)
        self("cuMemcpyHtoD_v2", ctypes.c_uint64(address),
             ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        return address

    def to_host(self, array, address):
        self("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data),
             ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))

    def synchronize(self):
        self("cuCtxSynchronize")

    def milliseconds(self, work, rounds=5):
        """Returns the least time of `work` on the device, by its own events."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self("cuEventCreate", ctypes.byref(event), 0)
        found = []
        work()
        for _ in range(rounds):
            self("cuEventRecord", events[0], None)
            work()
            self("cuEventRecord", events[1], None)
            self("cuEventSynchronize", events[1])
            passed = ctypes.c_float()
            self("cuEventElapsedTime", ctypes.byref(passed), *events)
            found.append(passed.value)
        for event in events:
            self("cuEventDestroy_v2", event)
        return min(found)


class Module:
    def __init__(self, driver, handle):
        self.driver, self.handle = driver, handle

    def function(self, symbol):
        found = ctypes.c_void_p()
        self.driver("cuModuleGetFunction", ctypes.byref(found), self.handle,
                    symbol.encode())
        return found

    def unload(self):
        self.driver("cuModuleUnload", self.handle)

    def launch(self, symbol, grid, block, arguments, shared=0, stream=None):
        """Launches a kernel. arguments: NumPy's scalars and ctypes' values, an int for
        an address on the device."""
        kept = [ctypes.c_uint64(one) if isinstance(one, int) else one
                if isinstance(one, (ctypes.Structure, ctypes._SimpleCData))
                else (ctypes.c_char * one.nbytes).from_buffer_copy(one.tobytes())
                for one in arguments]
        stream = ctypes.c_void_p(stream) if isinstance(stream, int) else stream
        addresses = (ctypes.c_void_p * len(kept))(*map(ctypes.addressof, kept))
        self.driver("cuLaunchKernel", self.function(symbol), *extent(grid),
                    *extent(block), shared, stream, addresses, None)


def extent(given):
    numbers = given if isinstance(given, tuple) else (given,)
    return (*map(ctypes.c_uint, numbers), *(ctypes.c_uint(1),) * (3 - len(numbers)))


def run(driver, code, name, grid, block, arguments, shared=0):
    """Runs a kernel of `code`, the arrays of `arguments` being copied to the device and
    back."""
    module = driver.load(code.ptx)
    copied = [(one, driver.to_device(one)) for one in arguments
              if isinstance(one, numpy.ndarray)]
    addresses = iter([address for _, address in copied])
    module.launch(code.symbol(name), grid, block,
                  [next(addresses) if isinstance(one, numpy.ndarray) else one
                   for one in arguments], shared)
    driver.synchronize()
    for array, address in copied:
        driver.to_host(array, address)
        driver.free(address)
    module.unload()
